/** What the report draws: read out of the tables when all stages are done, capped, and put into the case. */
package dev.why429.analyzers.figure;
