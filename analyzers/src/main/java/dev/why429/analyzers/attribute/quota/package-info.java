/** What a response says about quotas, in whatever dialect: one record of limit, remaining, reset, window and partition key. */
package dev.why429.analyzers.attribute.quota;
