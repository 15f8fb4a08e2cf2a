package dev.why429.analyzers.audit.pitfall;

import static dev.why429.analyzers.audit.pitfall.Findings.related;

import dev.why429.analyzers.audit.fact.Facts;
import dev.why429.analyzers.audit.read.SourceFile;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Go, Java, Kotlin and C#: counters in the memory of one of several copies, limiters that live for one request, keys that never expire. */
final class ProgramMemory implements PitfallCheck {
    /** Where a library keeps its counters in the process unless it is told otherwise, and the words that tell it. */
    private record Memory(List<String> endings, Pattern limiter, List<String> shared) {}

    private static final List<String> STORES =
            List.of("redis", "hazelcast", "ProxyManager", "memcache", "infinispan", "ignite");
    private static final List<Memory> MEMORIES = List.of(
            new Memory(
                    List.of(".go"),
                    Pattern.compile(
                            "map\\[string\\]\\*(?:rate\\.Limiter|\\w{0,20}(?:[lL]imiter|[vV]isitor|[bB]ucket|[cC]lient))\\b"),
                    STORES),
            new Memory(
                    List.of(".java", ".kt"),
                    Pattern.compile("(?:Map|Cache)<String, ?(?:Bucket|RateLimiter)>\\s{1,3}\\w{1,40}\\s{0,3}="),
                    STORES),
            new Memory(
                    List.of(".cs"),
                    Pattern.compile(
                            "RateLimitPartition\\.Get\\w{4,24}Limiter|\\.Add(?:Fixed|Sliding|Token)\\w{5,20}Limiter\\("),
                    STORES));
    // func(w http.ResponseWriter, r *http.Request) { … rate.NewLimiter(
    private static final Pattern GO_HANDLER = Pattern.compile(
            "func[^\\n{]{0,60}\\(\\w{1,10} http\\.ResponseWriter, \\w{1,10} \\*http\\.Request\\)\\s{0,3}\\{");
    private static final Pattern COUNTS_UP = Pattern.compile(
            "\\.(?:Incr|increment|INCR|incr)\\([^\\n]{1,120}\\n(?:[^\\n]{0,160}\\n){0,6}?[^\\n]{0,40}if[^\\n]{0,40}(==|===)\\s?1L?\\b[^\\n]{0,200}(?:\\n[^\\n]{0,200}){0,2}?\\.?(?:Expire|expire)\\(");

    @Override
    public void look(Facts facts, Findings findings) {
        for (Memory memory : MEMORIES) {
            for (SourceFile file : facts.sources().ending(memory.endings().toArray(String[]::new))) {
                severalCopies(facts, findings, file, memory);
            }
        }
        for (SourceFile file : facts.sources().ending(".go")) {
            builtPerRequest(findings, file, CodeText.blanked(file, "//"));
        }
        for (SourceFile file : facts.sources().ending(".go", ".java", ".kt", ".cs", ".php", ".rb")) {
            neverExpires(findings, file, CodeText.blanked(file, file.name().endsWith(".rb") ? "#" : "//"));
        }
    }

    private static void severalCopies(Facts facts, Findings findings, SourceFile file, Memory memory) {
        String text = CodeText.blanked(file, "//");
        String lower = text.toLowerCase(java.util.Locale.ROOT);
        Matcher limiter = memory.limiter().matcher(text);
        if (!limiter.find()
                || memory.shared().stream().anyMatch(w -> lower.contains(w.toLowerCase(java.util.Locale.ROOT)))) {
            return;
        }
        boolean counts = lower.contains("429")
                || lower.contains("toomany")
                || lower.contains("too_many")
                || lower.contains("allow(")
                || lower.contains("tryconsume")
                || lower.contains("ratelimit");
        if (counts) {
            facts.surroundings()
                    .severalFor(file.at(limiter.start()))
                    .ifPresent(several -> findings.report(
                            "code",
                            "state-per-process",
                            "counters live in one process, and " + several.place() + " runs " + several.most()
                                    + ": up to " + several.most() + " times the limit",
                            file.at(limiter.start()),
                            related(several.place(), several.what())));
        }
    }

    private static void builtPerRequest(Findings findings, SourceFile file, String text) {
        Matcher handler = GO_HANDLER.matcher(text);
        while (handler.find()) {
            int end = end(text, handler.end() - 1);
            int built = text.indexOf("rate.NewLimiter(", handler.end());
            boolean kept = text.substring(handler.end(), end)
                    .matches("(?s).*(\\.Store\\(|\\.LoadOrStore\\(|\\w\\[\\w+\\]\\s{0,3}=).*");
            if (built >= 0 && built < end && !kept) {
                findings.report(
                        "go",
                        "state-per-request",
                        "the limiter is built anew for each request: its bucket is always full",
                        file.at(built),
                        related(file.at(handler.start()), "runs for each request"));
            }
        }
    }

    private static int end(String text, int open) {
        int depth = 0;
        for (int i = open; i < text.length(); i++) {
            char c = text.charAt(i);
            depth += c == '{' ? 1 : c == '}' ? -1 : 0;
            if (depth == 0) {
                return i;
            }
        }
        return text.length();
    }

    private static void neverExpires(Findings findings, SourceFile file, String text) {
        if (!text.contains("xpire(") || text.contains("ipeline") || text.contains("MULTI") || text.contains("multi(")) {
            return;
        }
        Optional<Matcher> raised = Optional.of(COUNTS_UP.matcher(text)).filter(Matcher::find);
        raised.ifPresent(match -> {
            int expire =
                    Math.max(match.group().lastIndexOf("Expire("), match.group().lastIndexOf("expire("));
            findings.report(
                    "code",
                    "store-no-ttl",
                    "the counter is raised here and given its expiry at " + file.at(match.start() + expire)
                            + " by a second command that runs only on the first hit: when that one is lost, the key is blocked for ever",
                    file.at(match.start() + 1),
                    related(file.at(match.start() + expire), "the expiry, on the first hit only"));
        });
    }
}
