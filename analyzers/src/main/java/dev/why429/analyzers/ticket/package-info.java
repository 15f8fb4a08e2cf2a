/** The answer to one partner: what its requests were, which limit they met, and whose move it is. Reads a case, no log. */
package dev.why429.analyzers.ticket;
