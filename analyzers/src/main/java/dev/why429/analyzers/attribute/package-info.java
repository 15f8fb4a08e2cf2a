/** Which layer and which component denied each request, why, with what evidence, and how sure that is. */
package dev.why429.analyzers.attribute;
