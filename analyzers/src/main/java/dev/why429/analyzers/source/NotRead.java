package dev.why429.analyzers.source;

/** An input that is not read, and why: one clause, {@code binary data}. */
public record NotRead(String path, String why) {}
