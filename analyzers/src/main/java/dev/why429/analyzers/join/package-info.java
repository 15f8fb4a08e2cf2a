/** Which log lines are one client request: by shared ids, else by time, method, path and status. */
package dev.why429.analyzers.join;
