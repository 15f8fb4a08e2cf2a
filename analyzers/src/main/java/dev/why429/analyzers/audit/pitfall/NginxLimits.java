package dev.why429.analyzers.audit.pitfall;

import static dev.why429.analyzers.audit.pitfall.Findings.related;

import dev.why429.analyzers.audit.Place;
import dev.why429.analyzers.audit.fact.Facts;
import dev.why429.analyzers.audit.fact.Proxy;
import dev.why429.analyzers.audit.read.NginxReader.Directive;
import dev.why429.analyzers.audit.read.Sources;
import dev.why429.rules.Pitfall.Severity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** nginx: limit_req and what is set beside it. */
final class NginxLimits implements PitfallCheck {
    private static final Pattern ONE_AT_A_TIME =
            Pattern.compile("(?i)login|auth|otp|sms|password|signin|register|reset");

    private static final Pattern PER_MINUTE =
            Pattern.compile("(?i)per[ _-]?minute|/ ?min(?:ute)?\\b|a minute|rpm\\b|each minute");

    @Override
    public void look(Facts facts, Findings findings) {
        Map<String, Directive> zones = new HashMap<>();
        facts.sources()
                .nginx()
                .forEach(blocks -> blocks.directives()
                        .forEach(top -> top.walk(d -> {
                            if (d.name().equals("limit_req_zone")) {
                                d.option("zone").ifPresent(zone -> zones.put(zone.split(":", 2)[0], d));
                            }
                        })));
        for (Sources.Blocks blocks : facts.sources().nginx()) {
            if (!blocks.file().forTests()) {
                scope(facts, findings, blocks.directives(), zones, Optional.empty());
                keys(facts, findings, blocks);
            }
        }
    }

    private static void scope(
            Facts facts,
            Findings findings,
            List<Directive> scope,
            Map<String, Directive> zones,
            Optional<Directive> inherited) {
        Optional<Directive> status = scope.stream()
                .filter(d -> d.name().equals("limit_req_status"))
                .findFirst()
                .or(() -> inherited);
        boolean mapped = scope.stream()
                .anyMatch(d -> d.name().equals("error_page") && d.words().contains("=429"));
        for (Directive directive : scope) {
            if (directive.name().equals("limit_req")) {
                limit(facts, findings, directive, zones, mapped ? Optional.of(directive) : status);
            }
            scope(facts, findings, directive.block(), zones, mapped ? Optional.of(directive) : status);
        }
    }

    private static void limit(
            Facts facts, Findings findings, Directive limit, Map<String, Directive> zones, Optional<Directive> status) {
        if (status.isEmpty()) {
            findings.report(
                    "nginx",
                    "status-not-429",
                    "refusals leave with the default status 503 (no limit_req_status): clients and balancers see an outage",
                    limit.place());
        } else if (status.get().name().equals("limit_req_status")
                && List.of("503", "444").contains(status.get().word(0))) {
            findings.report(
                    "nginx",
                    "status-not-429",
                    "refusals leave with status " + status.get().word(0) + ": clients and balancers see an outage",
                    limit.place(),
                    related(status.get().place(), "limit_req_status"));
        }
        String name = limit.option("zone").orElse("");
        Directive zone = zones.get(name);
        boolean oneAtATime = ONE_AT_A_TIME.matcher(name).find();
        if (zone != null && !oneAtATime) {
            slice(facts, findings, limit, zone);
        }
        if (zone != null && limit.option("burst").isEmpty() && !oneAtATime) {
            String rate = zone.option("rate").orElse("");
            boolean perMinute = rate.endsWith("r/m");
            if (perMinute && !rate.equals("1r/m")) {
                findings.report(
                        "nginx",
                        "unit-window-slice",
                        "rate=" + rate + " without burst is no budget for a minute but a distance: " + distance(rate)
                                + " between two requests",
                        limit.place(),
                        related(zone.place(), "the rate"));
            } else if (!perMinute && !rate.isEmpty()) {
                findings.report(
                        "nginx",
                        "burst-too-small",
                        Severity.MEDIUM,
                        "rate=" + rate + " without burst: two requests closer than " + distance(rate)
                                + " and the second is refused",
                        limit.place(),
                        List.of(related(zone.place(), "the rate")));
            }
        }
    }

    /** {@code rate=300r/m burst=5}: the text beside it speaks of a minute, and after the burst every request needs its distance. */
    private static void slice(Facts facts, Findings findings, Directive limit, Directive zone) {
        String rate = zone.option("rate").orElse("");
        String burst = limit.option("burst").orElse("");
        if (!rate.endsWith("r/m") || !rate.matches("\\d{1,7}r/m") || !burst.matches("\\d{1,7}")) {
            return;
        }
        int perMinute = Integer.parseInt(rate.substring(0, rate.length() - 3));
        int atOnce = Integer.parseInt(burst);
        Optional<Place> says = facts.sources().file(zone.place().file()).flatMap(file -> {
            for (int line = zone.place().line();
                    line >= Math.max(1, zone.place().line() - 4);
                    line--) {
                String text = file.line(line);
                int comment = text.indexOf('#');
                if (comment >= 0 && PER_MINUTE.matcher(text.substring(comment)).find()) {
                    return Optional.of(file.at(line, comment + 1));
                }
            }
            return Optional.empty();
        });
        if (perMinute >= 20 && atOnce * 4 < perMinute && says.isPresent()) {
            findings.report(
                    "nginx",
                    "unit-window-slice",
                    "rate=" + rate + " with burst=" + burst + " is no budget for a minute: after " + (atOnce + 1)
                            + " requests the next is due in " + distance(rate) + ", while " + says.get()
                            + " promises a minute's worth",
                    limit.place(),
                    related(zone.place(), "the rate"),
                    related(says.get(), "says per minute"));
        }
    }

    private static String distance(String rate) {
        String digits = rate.replaceAll("[^0-9].*", "");
        if (digits.isEmpty() || digits.length() > 8 || Integer.parseInt(digits) == 0) {
            return "a fixed distance";
        }
        double millis = (rate.endsWith("r/m") ? 60_000.0 : 1000.0) / Integer.parseInt(digits);
        return Math.round(millis) + " ms";
    }

    private static void keys(Facts facts, Findings findings, Sources.Blocks blocks) {
        List<Directive> all = new ArrayList<>();
        blocks.directives().forEach(top -> top.walk(all::add));
        List<Directive> trusted =
                all.stream().filter(d -> d.name().equals("set_real_ip_from")).toList();
        Optional<Directive> everybody = trusted.stream()
                .filter(d -> d.word(0).equals("0.0.0.0/0") || d.word(0).equals("::/0"))
                .findFirst();
        Optional<Directive> header =
                all.stream().filter(d -> d.name().equals("real_ip_header")).findFirst();
        for (Directive zone : all) {
            if (!zone.name().equals("limit_req_zone")) {
                continue;
            }
            String key = zone.word(0);
            if (key.contains("$http_x_forwarded_for")) {
                findings.report(
                        "nginx",
                        "key-spoofable",
                        "the key is X-Forwarded-For as the caller wrote it: a new value is a new bucket",
                        zone.place());
            } else if (key.contains("remote_addr")
                    && everybody.isPresent()
                    && header.filter(h -> !h.word(0).equals("proxy_protocol")).isPresent()) {
                findings.report(
                        "nginx",
                        "key-spoofable",
                        "every address may tell us who the client is (set_real_ip_from "
                                + everybody.get().word(0) + "), so the key is what the caller wrote into "
                                + header.get().word(0),
                        zone.place(),
                        related(everybody.get().place(), "trusts everybody"));
            } else if (key.contains("remote_addr") && trusted.isEmpty()) {
                inFront(facts, all)
                        .ifPresent(proxy -> findings.report(
                                "nginx",
                                "key-proxy-collapse",
                                "the key is the address of whoever connects, set_real_ip_from is not there, and "
                                        + proxy.shows() + ": all clients share one bucket",
                                zone.place(),
                                proxy));
            }
        }
    }

    private static Optional<dev.why429.analyzers.audit.AuditFinding.Related> inFront(Facts facts, List<Directive> all) {
        for (Directive d : all) {
            if (d.name().equals("listen") && d.words().contains("proxy_protocol")) {
                return Optional.of(related(d.place(), "a balancer in front speaks the PROXY protocol"));
            }
            boolean asks = List.of("if", "map", "set", "proxy_set_header").contains(d.name());
            String words = String.join(" ", d.words());
            if (asks
                    && (words.contains("$http_cf_")
                            || words.contains("$http_cloudfront_")
                            || words.contains("$http_x_forwarded_proto"))) {
                return Optional.of(related(d.place(), "a header that only a proxy in front sets is read"));
            }
        }
        return facts.surroundings().proxies().stream()
                .filter(p -> p.kind() == Proxy.Kind.INGRESS || p.kind() == Proxy.Kind.CDN)
                .map(p -> related(p.place(), p.what() + " is in front"))
                .findFirst();
    }
}
