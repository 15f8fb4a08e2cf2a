package dev.why429.analyzers.audit.pitfall;

import static dev.why429.analyzers.audit.pitfall.Findings.related;

import dev.why429.analyzers.audit.fact.Facts;
import dev.why429.analyzers.audit.read.Code;
import dev.why429.analyzers.audit.read.SourceFile;
import dev.why429.analyzers.audit.read.Syntax;
import dev.why429.rules.Pitfall.Severity;
import java.util.List;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How long to wait: told in the wrong unit, computed against the wrong clock, or not waited at all. */
final class WaitHeaders implements PitfallCheck {
    // res.set("Retry-After", …), headers["Retry-After"] = …, w.Header().Set("Retry-After", …)
    private static final Pattern SETS =
            Pattern.compile("[\"']Retry-After[\"']\\]?\\s{0,3}[,:=]\\s{0,3}([^;\\n]{1,120})", Pattern.CASE_INSENSITIVE);
    private static final Pattern MILLIS = Pattern.compile(
            "msBeforeNext|[wW]indowMs\\b|Millis\\b|Milliseconds\\(|_ms\\b|[a-z]Ms\\b|_MS\\b|toMillis\\(");
    private static final Pattern DIVIDED = Pattern.compile("1000|1_000|1e3|1E3|toSeconds|SECONDS|\\.Seconds\\(");
    private static final Pattern CLOCK = Pattern.compile("Date\\.now\\(\\)|time\\.time\\(\\)|new Date\\(\\)");
    private static final Pattern RESET = Pattern.compile("(?i)x-ratelimit-reset");
    private static final Pattern WAITS = Pattern.compile("(?i)sleep|delay|settimeout|backoff|retry.?after|\\bwait");

    @Override
    public void look(Facts facts, Findings findings) {
        for (SourceFile file : facts.sources()
                .ending(".js", ".mjs", ".cjs", ".ts", ".py", ".go", ".java", ".kt", ".cs", ".php", ".rb")) {
            if (file.text().contains("etry-") || file.text().contains("ETRY-")) {
                unit(findings, file);
            }
        }
        for (Code code : facts.sources().codes()) {
            clock(findings, code);
            storm(findings, code);
        }
    }

    private static void unit(Findings findings, SourceFile file) {
        String text = CodeText.blanked(
                file, file.name().endsWith(".py") || file.name().endsWith(".rb") ? "#" : "//");
        Matcher sets = SETS.matcher(text);
        while (sets.find()) {
            String value = sets.group(1);
            Matcher millis = MILLIS.matcher(value);
            OptionalDouble number = number(value);
            if (millis.find() && !DIVIDED.matcher(value).find()) {
                findings.report(
                        "code",
                        "retry-after-unit",
                        "Retry-After is in seconds, and " + millis.group()
                                + " is in milliseconds: clients stay away a thousand times too long",
                        file.at(sets.start()),
                        related(file.at(sets.start(1) + millis.start()), "milliseconds"));
            } else if (number.isPresent()
                    && number.getAsDouble() >= 10_000
                    && number.getAsDouble() % 1000 == 0
                    && number.getAsDouble() % 3600 != 0) {
                findings.report(
                        "code",
                        "retry-after-unit",
                        Severity.MEDIUM,
                        "Retry-After: " + (long) number.getAsDouble() + " is " + (long) (number.getAsDouble() / 3600)
                                + " hours; milliseconds were meant?",
                        file.at(sets.start()),
                        List.of());
            }
        }
    }

    private static OptionalDouble number(String value) {
        Matcher digits = Pattern.compile("^[\"']?(\\d{1,9})[\"')}\\s]").matcher(value + " ");
        return digits.find() ? OptionalDouble.of(Double.parseDouble(digits.group(1))) : OptionalDouble.empty();
    }

    /** The reset is a moment of the server's clock; what is subtracted from it is a moment of ours. */
    private static void clock(Findings findings, Code code) {
        for (Syntax function : code.functions()) {
            String text = function.text();
            Matcher reset = RESET.matcher(text);
            boolean sends = text.contains("setHeader")
                    || text.contains(".set(")
                    || text.contains("res.header")
                    || text.contains("headers[");
            boolean reads = text.contains("headers.get(")
                    || text.contains(".headers[")
                    || text.contains("get(\"x-ratelimit-reset")
                    || text.contains("get('x-ratelimit-reset");
            Matcher now = CLOCK.matcher(text);
            boolean asksDate =
                    Pattern.compile("(?i)[\"']date[\"']").matcher(text).find();
            if (reset.find() && reads && now.find() && !asksDate && !(sends && !text.contains("headers.get("))) {
                findings.report(
                        "code",
                        "client-clock-skew",
                        Severity.MEDIUM,
                        "the wait is the server's reset minus our clock: a clock that is 60 s ahead waits 60 s too little, and retries at once",
                        function.file().at(function.start() + reset.start()),
                        List.of(related(function.file().at(function.start() + now.start()), "our clock")));
                return;
            }
        }
    }

    private static void storm(Findings findings, Code code) {
        for (Syntax loop : code.root().all("while_statement", "for_statement", "do_statement")) {
            String text = loop.text();
            boolean again = text.contains("continue");
            if (text.contains("429")
                    && again
                    && !WAITS.matcher(text).find()
                    && (text.contains("fetch(")
                            || text.contains("axios")
                            || text.contains("requests.")
                            || text.contains("http"))) {
                findings.report(
                        "code",
                        "retry-storm",
                        Severity.MEDIUM,
                        "a refused request is sent again at once: the more the limiter refuses, the more it gets",
                        loop.file().at(loop.start() + text.indexOf("429")),
                        List.of(related(loop.place(), "the loop")));
            }
        }
    }
}
