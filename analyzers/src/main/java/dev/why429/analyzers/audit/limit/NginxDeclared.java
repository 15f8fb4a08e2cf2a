package dev.why429.analyzers.audit.limit;

import dev.why429.analyzers.audit.limit.DeclaredLimit.Algorithm;
import dev.why429.analyzers.audit.limit.DeclaredLimit.Store;
import dev.why429.analyzers.audit.read.NginxReader.Directive;
import dev.why429.analyzers.audit.read.Sources;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** nginx: {@code limit_req} with its zone, {@code limit_conn}. */
final class NginxDeclared implements LimitReader {
    private static final double DEFAULT_STATUS = 503;

    @Override
    public void read(Sources sources, List<DeclaredLimit> into) {
        for (Sources.Blocks blocks : sources.nginx()) {
            Map<String, Directive> zones = new HashMap<>();
            blocks.directives()
                    .forEach(top -> top.walk(d -> {
                        if (d.name().equals("limit_req_zone") || d.name().equals("limit_conn_zone")) {
                            d.option("zone").ifPresent(zone -> zones.put(zone.split(":", 2)[0], d));
                        }
                    }));
            scope(blocks.directives(), zones, OptionalDouble.empty(), "", into);
        }
    }

    private static void scope(
            List<Directive> scope,
            Map<String, Directive> zones,
            OptionalDouble inherited,
            String where,
            List<DeclaredLimit> into) {
        OptionalDouble status = scope.stream()
                .filter(d -> d.name().equals("limit_req_status"))
                .map(d -> number(d.word(0)))
                .findFirst()
                .orElse(inherited);
        for (Directive directive : scope) {
            if (directive.name().equals("limit_req")) {
                request(directive, zones, status, where, into);
            } else if (directive.name().equals("limit_conn")
                    && directive.words().size() > 1) {
                Directive zone = zones.get(directive.word(0));
                into.add(DeclaredLimit.of("nginx", Algorithm.CONCURRENCY, directive.place())
                        .name(directive.word(0) + where)
                        .limit(number(directive.word(1)))
                        .key(zone == null ? "" : zone.word(0))
                        .store(Store.LOCAL)
                        .build());
            }
            String inside = directive.name().equals("location") ? " " + String.join(" ", directive.words()) : where;
            scope(directive.block(), zones, status, inside, into);
        }
    }

    private static void request(
            Directive limit,
            Map<String, Directive> zones,
            OptionalDouble status,
            String where,
            List<DeclaredLimit> into) {
        String name = limit.option("zone").orElse("");
        Directive zone = zones.get(name);
        into.add(DeclaredLimit.of("nginx", Algorithm.LEAKY_BUCKET, limit.place())
                .name(name + where)
                .rate(
                        zone == null
                                ? OptionalDouble.empty()
                                : rate(zone.option("rate").orElse("")))
                .burst(limit.option("burst").map(NginxDeclared::number).orElse(OptionalDouble.of(0)))
                .key(zone == null ? "" : zone.word(0))
                .store(Store.LOCAL)
                .status(status.isPresent() ? status : OptionalDouble.of(DEFAULT_STATUS))
                .build());
    }

    // 10r/s, 300r/m
    static OptionalDouble rate(String text) {
        int slash = text.indexOf("r/");
        OptionalDouble number = slash > 0 ? number(text.substring(0, slash)) : OptionalDouble.empty();
        return number.isEmpty()
                ? number
                : OptionalDouble.of(text.endsWith("m") ? number.getAsDouble() / 60 : number.getAsDouble());
    }

    static OptionalDouble number(String text) {
        try {
            return text.isBlank() || text.length() > 15
                    ? OptionalDouble.empty()
                    : OptionalDouble.of(Double.parseDouble(text.strip().replace("_", "")));
        } catch (NumberFormatException e) {
            return OptionalDouble.empty();
        }
    }
}
