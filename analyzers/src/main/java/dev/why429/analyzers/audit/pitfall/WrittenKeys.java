package dev.why429.analyzers.audit.pitfall;

import static dev.why429.analyzers.audit.pitfall.Findings.related;

import dev.why429.analyzers.audit.Place;
import dev.why429.analyzers.audit.fact.Facts;
import dev.why429.analyzers.audit.read.SourceFile;
import dev.why429.rules.Pitfall.Severity;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Keys in Java, Kotlin, Go, PHP, C#, Ruby and Rust that the caller writes, or that hold the port of its connection. */
final class WrittenKeys implements PitfallCheck {
    /** What refuses or spends; a class or package that only has the words in its name is no limiter. */
    private static final Pattern LIMITS = Pattern.compile(
            "\\b429\\b|TooManyRequests|TOO_MANY_REQUESTS|tryConsume|\\bKeyResolver\\b|\\.Allow\\(|\\btryAcquire|RateLimiter::|RateLimitPartition");
    // XForwardedRemoteAddressResolver.trustAll()
    private static final Pattern TRUSTS_ALL =
            Pattern.compile("XForwardedRemoteAddressResolver\\s{0,3}\\.\\s{0,3}trustAll\\(");
    // getHeader("X-Forwarded-For").split(",")[0], strings.Split(r.Header.Get("X-Forwarded-For"), ",")[0],
    // explode(',', $_SERVER['HTTP_X_FORWARDED_FOR'])[0]
    private static final Pattern LEFTMOST = Pattern.compile(
            "(?i)(?:X[-_]Forwarded[-_]For[\"'][^;\\n]{0,60}\\.split\\([^;\\n]{0,30}\\)\\s{0,2}(?:\\[\\s?0\\s?\\]|\\.first)"
                    + "|Split\\([^;\\n]{0,60}X-Forwarded-For\"\\s{0,2}\\)[^;\\n]{0,12}\\)\\s{0,2}\\[\\s?0\\s?\\]"
                    + "|explode\\([^;\\n]{0,60}HTTP_X_FORWARDED_FOR[^;\\n]{0,12}\\)\\s{0,2}\\[\\s?0\\s?\\])");
    private static final Pattern HEADER_VARIABLE =
            Pattern.compile("(?i)\\b(\\w{1,40})\\s{0,2}(?::?=)\\s{0,3}[^;\\n]{0,60}[\"']X-Forwarded-For[\"']");
    private static final Pattern ADDRESS_HEADER = Pattern.compile(
            "(?i)(?:getHeader|getFirst|Header\\.Get|Headers\\[|header)\\(?\\s{0,2}[\"'](CF-Connecting-IP|X-Real-IP|True-Client-IP)[\"']");
    private static final Pattern GO_REMOTE = Pattern.compile("\\b\\w{1,12}\\.RemoteAddr\\b");

    @Override
    public void look(Facts facts, Findings findings) {
        for (SourceFile file : facts.sources().ending(".java", ".kt", ".go", ".php", ".cs", ".rs")) {
            String text = CodeText.blanked(file, "//");
            Matcher limits = LIMITS.matcher(text);
            if (limits.find()) {
                Place limiter = file.at(limits.start());
                if (facts.overwritesForwarded().isEmpty()) {
                    written(findings, file, text, limiter);
                }
                if (file.name().endsWith(".go")) {
                    port(findings, file, text, limiter);
                }
            }
        }
    }

    private static void written(Findings findings, SourceFile file, String text, Place limiter) {
        Matcher all = TRUSTS_ALL.matcher(text);
        if (all.find()) {
            findings.report(
                    "spring-cloud-gateway",
                    "key-spoofable",
                    "trustAll() takes the leftmost X-Forwarded-For entry, which the caller writes: a new value is a new bucket",
                    file.at(all.start()),
                    related(limiter, "the key of the limiter"));
            return;
        }
        Optional<Place> leftmost = leftmost(file, text);
        if (leftmost.isPresent()) {
            findings.report(
                    "code",
                    "key-spoofable",
                    "the key is the leftmost X-Forwarded-For entry, which the caller writes: a new value is a new bucket",
                    leftmost.get(),
                    related(limiter, "the limiter"));
            return;
        }
        Matcher header = ADDRESS_HEADER.matcher(text);
        if (header.find()) {
            findings.report(
                    "code",
                    "key-spoofable",
                    Severity.MEDIUM,
                    "the key is taken from " + header.group(1)
                            + ", which whoever reaches this server past the edge can write: a new value is a new bucket",
                    file.at(header.start()),
                    List.of(related(limiter, "the limiter")));
        }
    }

    private static Optional<Place> leftmost(SourceFile file, String text) {
        Matcher direct = LEFTMOST.matcher(text);
        if (direct.find()) {
            return Optional.of(file.at(direct.start()));
        }
        Matcher variable = HEADER_VARIABLE.matcher(text);
        while (variable.find()) {
            String name = Pattern.quote(variable.group(1));
            Matcher first = Pattern.compile(
                            "\\b" + name + "\\.(?:split|Split)\\([^;\\n]{0,20}\\)\\s{0,2}\\[\\s?0\\s?\\]"
                                    + "|Split\\(\\s{0,2}" + name + ",[^;\\n]{0,10}\\)\\s{0,2}\\[\\s?0\\s?\\]"
                                    + "|substring\\(0, ?" + name + "\\.indexOf\\(")
                    .matcher(text);
            if (first.find(variable.end())) {
                return Optional.of(file.at(first.start()));
            }
        }
        return Optional.empty();
    }

    /** Go's RemoteAddr is address:port. */
    private static void port(Findings findings, SourceFile file, String text, Place limiter) {
        boolean cut = text.contains("SplitHostPort")
                || text.contains("LastIndex(")
                || text.contains("ParseAddrPort")
                || text.contains("strings.Split")
                || text.contains("strings.Cut")
                || text.contains("RealIP");
        Matcher remote = GO_REMOTE.matcher(text);
        while (!cut && remote.find()) {
            int start = text.lastIndexOf('\n', remote.start()) + 1;
            int end = text.indexOf('\n', remote.start());
            String line = text.substring(start, end < 0 ? text.length() : end);
            boolean logs = line.contains("log") || line.contains("Print") || line.contains("fmt.");
            if (!logs) {
                findings.report(
                        "go",
                        "key-port",
                        "RemoteAddr is address and port: every new connection is a new client, and has its whole budget again",
                        file.at(remote.start()),
                        related(limiter, "the limiter"));
                return;
            }
        }
    }
}
