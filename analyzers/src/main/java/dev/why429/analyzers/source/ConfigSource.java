package dev.why429.analyzers.source;

/**
 * A configuration file that lay among the inputs.
 *
 * @param kind nginx, haproxy, varnish, yaml, toml or apache
 */
public record ConfigSource(String path, String kind, Content content) {}
