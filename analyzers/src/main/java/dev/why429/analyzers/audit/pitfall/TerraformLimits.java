package dev.why429.analyzers.audit.pitfall;

import static dev.why429.analyzers.audit.pitfall.Findings.related;

import dev.why429.analyzers.audit.Place;
import dev.why429.analyzers.audit.fact.Facts;
import dev.why429.analyzers.audit.fact.Proxy;
import dev.why429.analyzers.audit.read.SourceFile;
import dev.why429.rules.Pitfall.Severity;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Rate rules of Cloudflare and AWS WAF in Terraform. Only literal values are read; an expression is never evaluated. */
final class TerraformLimits implements PitfallCheck {
    private static final Pattern PER_MINUTE =
            Pattern.compile("(?i)per[ _-]?minute|/ ?min\\b|a minute|rpm\\b|each minute");
    private static final int COMMENT_LINES = 6;

    @Override
    public void look(Facts facts, Findings findings) {
        for (SourceFile file : facts.sources().ending(".tf")) {
            for (int line = 1; line <= file.lineCount(); line++) {
                String text = file.line(line).strip();
                if (text.startsWith("ratelimit") && text.endsWith("{")) {
                    cloudflare(findings, file, line);
                } else if (text.startsWith("rate_based_statement") && text.endsWith("{")) {
                    aws(facts, findings, file, line);
                }
            }
        }
    }

    private static void cloudflare(Findings findings, SourceFile file, int start) {
        int end = blockEnd(file, start);
        OptionalInt characteristics = lineOf(file, start, end, "characteristics");
        if (characteristics.isPresent()) {
            int at = characteristics.getAsInt();
            StringBuilder list = new StringBuilder(file.line(at));
            for (int line = at + 1; !list.toString().contains("]") && line <= end; line++) {
                list.append(file.line(line));
            }
            String names = list.toString()
                    .replaceAll("[^\"]*\"([^\"]*)\"[^\"]*", "$1 ")
                    .strip();
            if (names.equals("cf.colo.id")) {
                findings.report(
                        "cloudflare",
                        "key-missing-segment",
                        "cf.colo.id alone is one counter for each data centre, shared by all visitors",
                        place(file, at));
            }
        }
        OptionalInt period = lineOf(file, start, end, "period");
        OptionalInt penalty = lineOf(file, start, end, "mitigation_timeout");
        if (period.isPresent() && penalty.isPresent()) {
            long window = number(file.line(period.getAsInt()));
            long blocked = number(file.line(penalty.getAsInt()));
            if (window > 0 && blocked > window) {
                findings.report(
                        "cloudflare",
                        "penalty-longer-than-window",
                        Severity.LOW,
                        "a block of " + blocked + " s for a window of " + window
                                + " s: refused long after the rate is back to normal",
                        place(file, penalty.getAsInt()),
                        List.of(related(place(file, period.getAsInt()), "the window")));
            }
        }
    }

    private static void aws(Facts facts, Findings findings, SourceFile file, int start) {
        int end = blockEnd(file, start);
        OptionalInt limit = lineOf(file, start, end, "limit");
        boolean windowSet = lineOf(file, start, end, "evaluation_window_sec").isPresent();
        if (limit.isPresent() && !windowSet) {
            for (int line = Math.max(1, start - COMMENT_LINES); line <= end; line++) {
                String text = file.line(line);
                int comment = Math.max(text.indexOf('#'), text.indexOf("//"));
                boolean says = comment >= 0
                        || text.contains("description")
                        || text.strip().startsWith("name");
                if (says
                        && PER_MINUTE
                                .matcher(text.substring(Math.max(0, comment)))
                                .find()
                        && !text.contains("5 min")
                        && !text.contains("five")) {
                    long count = number(file.line(limit.getAsInt()));
                    findings.report(
                            "aws-waf",
                            "window-default",
                            "evaluation_window_sec is not set, so the window is 300 s: " + count
                                    + " in five minutes are " + count / 5 + " a minute, while " + place(file, line)
                                    + " says per minute",
                            place(file, limit.getAsInt()),
                            related(place(file, line), "says per minute"));
                    break;
                }
            }
        }
        OptionalInt key = lineOf(file, start, end, "aggregate_key_type");
        Optional<Proxy> cdn = facts.surroundings().proxies().stream()
                .filter(p -> p.what().equals("CloudFront"))
                .findFirst();
        boolean regional = file.text().contains("\"REGIONAL\"") && !file.text().contains("\"CLOUDFRONT\"");
        if (key.isPresent()
                && cdn.isPresent()
                && regional
                && file.line(key.getAsInt()).contains("\"IP\"")) {
            findings.report(
                    "aws-waf",
                    "key-proxy-collapse",
                    "the key is the address that connects, the ACL is regional, and "
                            + cdn.get().place() + " is in front: the key is an address of CloudFront",
                    place(file, key.getAsInt()),
                    related(cdn.get().place(), "CloudFront in front"));
        }
    }

    private static Place place(SourceFile file, int line) {
        String text = file.line(line);
        return file.at(line, text.length() - text.stripLeading().length() + 1);
    }

    private static int blockEnd(SourceFile file, int start) {
        int depth = 0;
        for (int line = start; line <= file.lineCount(); line++) {
            for (char c : file.line(line).toCharArray()) {
                depth += c == '{' ? 1 : c == '}' ? -1 : 0;
            }
            if (depth <= 0) {
                return line;
            }
        }
        return file.lineCount();
    }

    // limit              = 600
    private static OptionalInt lineOf(SourceFile file, int start, int end, String key) {
        for (int line = start; line <= end; line++) {
            String text = file.line(line).strip();
            if (text.startsWith(key) && text.substring(key.length()).strip().startsWith("=")) {
                return OptionalInt.of(line);
            }
        }
        return OptionalInt.empty();
    }

    private static long number(String line) {
        Matcher digits = Pattern.compile("=\\s{0,20}(\\d{1,12})\\b").matcher(line);
        return digits.find() ? Long.parseLong(digits.group(1)) : 0;
    }
}
