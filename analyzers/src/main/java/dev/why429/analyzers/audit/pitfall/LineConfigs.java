package dev.why429.analyzers.audit.pitfall;

import static dev.why429.analyzers.audit.pitfall.Findings.related;

import dev.why429.analyzers.audit.Place;
import dev.why429.analyzers.audit.fact.Facts;
import dev.why429.analyzers.audit.read.NginxReader.Directive;
import dev.why429.analyzers.audit.read.SourceFile;
import dev.why429.analyzers.audit.read.Sources;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** HAProxy and Caddy. */
final class LineConfigs implements PitfallCheck {
    @Override
    public void look(Facts facts, Findings findings) {
        for (SourceFile file : facts.sources().ending(".cfg", ".conf")) {
            if (file.text().contains("stick-table") || file.text().contains("sc_http_req_rate")) {
                haproxy(findings, file);
            }
        }
        facts.sources().caddy().forEach(blocks -> caddy(findings, blocks));
    }

    private static void haproxy(Findings findings, SourceFile file) {
        Optional<Place> bindsIpv6 = Optional.empty();
        for (int line = 1; line <= file.lineCount(); line++) {
            String text = uncommented(file.line(line));
            if (startsSection(text)) {
                bindsIpv6 = text.startsWith("frontend") || text.startsWith("listen") ? Optional.empty() : bindsIpv6;
            } else if (text.startsWith("bind ")
                    && (text.contains(":::")
                            || text.contains("[::]")
                            || text.contains("v4v6")
                            || text.contains("ipv6@"))) {
                bindsIpv6 = Optional.of(file.at(line, file.line(line).indexOf("bind") + 1));
            } else if (text.startsWith("stick-table") && text.contains("type ip ") && bindsIpv6.isPresent()) {
                findings.report(
                        "haproxy",
                        "key-ipv6-granularity",
                        "a table of type ip holds no IPv6 address, and " + bindsIpv6.get()
                                + " accepts them: those clients are never counted",
                        file.at(line, file.line(line).indexOf("stick-table") + 1),
                        related(bindsIpv6.get(), "listens on IPv6"));
            } else if ((text.startsWith("http-request deny") || text.startsWith("http-request reject"))
                    && text.contains("_rate(")
                    && !text.contains("deny_status 429")) {
                boolean other = text.contains("deny_status");
                findings.report(
                        "haproxy",
                        "status-not-429",
                        "refusals by rate leave with " + (other ? "another status than 429" : "the default status 403")
                                + ": clients take them for a ban",
                        file.at(line, file.line(line).indexOf("http-request") + 1));
            }
        }
    }

    private static boolean startsSection(String text) {
        return text.startsWith("frontend")
                || text.startsWith("backend")
                || text.startsWith("listen ")
                || text.startsWith("defaults")
                || text.startsWith("global");
    }

    private static String uncommented(String line) {
        int comment = line.indexOf('#');
        return (comment < 0 ? line : line.substring(0, comment)).strip();
    }

    private static void caddy(Findings findings, Sources.Blocks blocks) {
        List<Directive> all = new ArrayList<>();
        blocks.directives().forEach(top -> top.walk(all::add));
        Optional<Directive> trusted =
                all.stream().filter(d -> d.name().equals("trusted_proxies")).findFirst();
        for (Directive limit : all) {
            if (!limit.name().equals("rate_limit")) {
                continue;
            }
            List<Directive> inside = new ArrayList<>();
            limit.walk(inside::add);
            for (Directive key : inside) {
                String value = key.word(0);
                if (key.name().equals("key") && value.contains("{remote_host}") && trusted.isPresent()) {
                    findings.report(
                            "caddy",
                            "key-proxy-collapse",
                            "the key {remote_host} is whoever connects, and trusted_proxies shows a proxy in front: all clients share one bucket",
                            key.place(),
                            related(trusted.get().place(), "a proxy in front"));
                } else if (key.name().equals("key")
                        && (value.contains("{header.X-Forwarded-For}")
                                || value.contains("{http.request.header.X-Forwarded-For}"))) {
                    findings.report(
                            "caddy",
                            "key-spoofable",
                            "the key is X-Forwarded-For as the caller wrote it: a new value is a new bucket",
                            key.place());
                }
            }
        }
    }
}
