package dev.why429.analyzers.audit.pitfall;

import static dev.why429.analyzers.audit.pitfall.Findings.related;

import dev.why429.analyzers.audit.AuditFinding.Related;
import dev.why429.analyzers.audit.Place;
import dev.why429.analyzers.audit.fact.Facts;
import dev.why429.analyzers.audit.fact.Instances;
import dev.why429.analyzers.audit.fact.Proxy;
import dev.why429.analyzers.audit.read.SourceFile;
import dev.why429.rules.Pitfall.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Limiters of Ruby, PHP, C#, Go, Rust, Java and Django, where the calls to look for are so particular that a line tells enough. Comments are
 * blanked before the text is searched.
 */
final class OtherCode implements PitfallCheck {
    private static final Pattern RUBY_MEMORY =
            Pattern.compile("cache\\.store\\s{0,3}=\\s{0,3}[\\w:]{0,60}(?:MemoryStore|FileStore)");
    private static final Pattern RUBY_LEFTMOST = Pattern.compile(
            "X[-_]FORWARDED[-_]FOR[^\\n]{0,60}\\.split\\([^\\n]{0,60}\\.first", Pattern.CASE_INSENSITIVE);
    private static final Pattern LARAVEL_LIMIT = Pattern.compile("Limit::per\\w{3,12}\\(");
    private static final Pattern LARAVEL_FOR = Pattern.compile("RateLimiter::for\\(\\s{0,5}['\"]([^'\"]{1,60})['\"]");
    private static final Pattern GO_TRUSTING = Pattern.compile("httprate\\.(?:LimitByRealIP|KeyByRealIP)\\b");
    private static final Pattern BUCKET_BUILDER = Pattern.compile("Bucket(?:4j)?\\.builder\\(\\)");
    private static final Pattern JAVA_METHOD =
            Pattern.compile("\\bBucket\\s+(\\w{1,60})\\s?\\([^)]{0,200}\\)\\s{0,3}\\{");

    @Override
    public void look(Facts facts, Findings findings) {
        for (SourceFile file : facts.sources().ending(".rb")) {
            ruby(facts, findings, file, blanked(file, "#"));
        }
        for (SourceFile file : facts.sources().ending(".php")) {
            laravel(facts, findings, file, blanked(file, "//"));
        }
        for (SourceFile file : facts.sources().ending(".cs")) {
            aspnet(facts, findings, file, blanked(file, "//"));
        }
        for (SourceFile file : facts.sources().ending(".go")) {
            go(facts, findings, file, blanked(file, "//"));
        }
        for (SourceFile file : facts.sources().ending(".rs")) {
            rust(facts, findings, file, blanked(file, "//"));
        }
        for (SourceFile file : facts.sources().ending(".java", ".kt")) {
            bucket4j(facts, findings, file, blanked(file, "//"));
        }
        for (SourceFile file : facts.sources().ending(".py")) {
            if (file.text().contains("DEFAULT_THROTTLE")) {
                django(facts, findings, file, blanked(file, "#"));
            }
        }
    }

    /** The text with comments to the end of the line blanked out, every offset as before. */
    static String blanked(SourceFile file, String comment) {
        StringBuilder out = new StringBuilder();
        for (String line : file.text().split("\n", -1)) {
            String bare = line.stripLeading();
            int at = bare.startsWith(comment) ? line.length() - bare.length() : line.indexOf(" " + comment + " ");
            out.append(at < 0 ? line : line.substring(0, at) + " ".repeat(line.length() - at))
                    .append('\n');
        }
        out.setLength(Math.max(0, out.length() - 1));
        return out.toString();
    }

    private static void ruby(Facts facts, Findings findings, SourceFile file, String text) {
        if (!text.contains("Rack::Attack") || !text.contains("throttle")) {
            return;
        }
        Matcher memory = RUBY_MEMORY.matcher(text);
        if (memory.find()) {
            Place place = file.at(memory.start());
            facts.surroundings().instances().stream()
                    .filter(i -> i.most() > 1)
                    .findFirst()
                    .ifPresent(i -> findings.report(
                            "rack-attack",
                            "state-per-process",
                            "the cache lives in one process, and " + i.place() + " runs " + i.most() + ": up to "
                                    + i.most() + " times the limit",
                            place,
                            related(i.place(), i.what())));
        }
        Matcher leftmost = RUBY_LEFTMOST.matcher(text);
        if (leftmost.find()) {
            List<Related> related = new ArrayList<>();
            int safe = text.indexOf("safelist");
            if (safe >= 0 && text.indexOf("127.0.0.1", safe) >= 0) {
                related.add(related(file.at(safe), "lets a caller skip all limits by sending 127.0.0.1"));
            }
            findings.report(
                    "rack-attack",
                    "key-spoofable",
                    Severity.HIGH,
                    "the key is the leftmost X-Forwarded-For entry, which the caller writes: a new value is a new bucket",
                    file.at(leftmost.start()),
                    related);
        }
    }

    private static void laravel(Facts facts, Findings findings, SourceFile file, String text) {
        Matcher named = LARAVEL_FOR.matcher(text);
        while (named.find()) {
            int end = closing(text, text.indexOf('(', named.start()));
            List<String> keys = new ArrayList<>();
            List<Integer> places = new ArrayList<>();
            Matcher limit = LARAVEL_LIMIT.matcher(text);
            limit.region(named.start(), end);
            while (limit.find()) {
                int after = closing(text, limit.end() - 1);
                String rest = text.substring(Math.min(after + 1, end), Math.min(end, after + 400))
                        .stripLeading();
                boolean by = rest.startsWith("->by(");
                int open = text.indexOf("->by(", after) + 4;
                keys.add(by ? text.substring(open + 1, closing(text, open)).replace(" ", "") : "");
                places.add(limit.start());
            }
            laravelKeys(findings, file, named.group(1), keys, places);
            boolean address = text.substring(named.start(), end).contains("->ip()");
            if (address) {
                unset(facts)
                        .ifPresent(trust -> facts.surroundings()
                                .inFrontOf(file.at(1, 1))
                                .ifPresent(proxy -> findings.report(
                                        "laravel",
                                        "key-proxy-collapse",
                                        "the key is $request->ip(), no proxy is trusted (" + trust + "), and "
                                                + proxy.place() + " puts " + proxy.what()
                                                + " in front: all clients share one bucket",
                                        file.at(places.isEmpty() ? named.start() : places.get(0)),
                                        related(trust, "trusts no proxy"),
                                        related(proxy.place(), proxy.what()))));
            }
        }
    }

    private static void laravelKeys(
            Findings findings, SourceFile file, String name, List<String> keys, List<Integer> places) {
        for (int i = 1; i < keys.size(); i++) {
            int first = keys.indexOf(keys.get(i));
            if (first < i && !keys.get(i).isEmpty() && !keys.get(i).contains("?")) {
                findings.report(
                        "laravel",
                        "key-collision",
                        "two limits of \"" + name + "\" share by(" + keys.get(i)
                                + "): each request counts twice in one counter",
                        file.at(places.get(i)),
                        related(file.at(places.get(first)), "the other limit"));
            }
        }
        boolean global = name.toLowerCase(Locale.ROOT).contains("global")
                || name.toLowerCase(Locale.ROOT).contains("total");
        if (keys.size() == 1 && keys.get(0).isEmpty() && !global) {
            findings.report(
                    "laravel",
                    "key-missing-segment",
                    "the limit \"" + name + "\" has no by(): all clients share one counter",
                    file.at(places.get(0)));
        }
    }

    private static Optional<Place> unset(Facts facts) {
        for (SourceFile file : facts.sources().ending("trustproxies.php")) {
            Matcher proxies = Pattern.compile("\\$proxies\\s{0,3}(?:=\\s{0,3}null\\s{0,3})?;")
                    .matcher(file.text());
            if (proxies.find()) {
                return Optional.of(file.at(proxies.start()));
            }
        }
        return Optional.empty();
    }

    /** Offset of the parenthesis that closes the one at {@code open}. */
    private static int closing(String text, int open) {
        int depth = 0;
        for (int i = Math.max(0, open); i < text.length(); i++) {
            char c = text.charAt(i);
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
            if (depth == 0) {
                return i;
            }
        }
        return text.length() - 1;
    }

    private static void aspnet(Facts facts, Findings findings, SourceFile file, String text) {
        int added = text.indexOf("AddRateLimiter(");
        int used = text.indexOf(".UseRateLimiter(");
        int routing = text.indexOf(".UseRouting(");
        int required = Math.max(text.indexOf(".RequireRateLimiting("), text.indexOf("[EnableRateLimiting("));
        if (used >= 0 && routing > used && required >= 0) {
            findings.report(
                    "aspnet",
                    "middleware-order",
                    "UseRateLimiter runs before UseRouting: no endpoint is chosen yet, and its policy never applies",
                    file.at(used + 1),
                    related(file.at(routing + 1), "the endpoint is chosen here"),
                    related(file.at(required + 1), "the policy that never applies"));
        }
        if (added >= 0 && !text.contains("RejectionStatusCode") && !text.contains("OnRejected")) {
            findings.report(
                    "aspnet",
                    "status-not-429",
                    "RejectionStatusCode is not set: refusals leave with 503",
                    file.at(added));
        }
        int address = text.indexOf("RemoteIpAddress");
        if (added >= 0 && address > added) {
            Optional<Proxy> proxy = facts.surroundings().inFrontOf(file.at(1, 1));
            boolean forwarded = facts.sources().ending(".cs").stream()
                    .anyMatch(f ->
                            f.text().contains("UseForwardedHeaders") || f.text().contains("ForwardedHeadersOptions"));
            if (proxy.isPresent() && !forwarded) {
                findings.report(
                        "aspnet",
                        "key-proxy-collapse",
                        "the partition is the address that connects, UseForwardedHeaders is not there, and "
                                + proxy.get().place() + " puts " + proxy.get().what()
                                + " in front: all clients share one bucket",
                        file.at(address),
                        related(proxy.get().place(), proxy.get().what()));
            }
            if (text.startsWith("?.ToString() ?? \"", address + 15)) {
                findings.report(
                        "aspnet",
                        "key-empty",
                        Severity.LOW,
                        "requests without an address share one partition",
                        file.at(address),
                        List.of());
            }
        }
    }

    private static void go(Facts facts, Findings findings, SourceFile file, String text) {
        Matcher trusting = GO_TRUSTING.matcher(text);
        if (trusting.find() && facts.overwritesForwarded().isEmpty()) {
            findings.report(
                    "go",
                    "key-spoofable",
                    "the key is taken from headers of the request (True-Client-IP, X-Real-IP, X-Forwarded-For) without asking who sent them",
                    file.at(trusting.start()));
        }
        boolean gin = text.contains("gin-gonic/gin");
        int key = text.indexOf(".ClientIP()");
        boolean limits = text.toLowerCase(Locale.ROOT).contains("limiter")
                || text.contains("429")
                || text.contains("StatusTooManyRequests");
        boolean configured = facts.sources().ending(".go").stream()
                .anyMatch(
                        f -> f.text().contains("SetTrustedProxies") || f.text().contains("TrustedPlatform"));
        if (gin
                && key >= 0
                && limits
                && !configured
                && facts.overwritesForwarded().isEmpty()) {
            findings.report(
                    "go",
                    "key-spoofable",
                    "gin believes every proxy until SetTrustedProxies is called: ClientIP() is what the caller wrote into X-Forwarded-For",
                    file.at(key + 1));
        }
    }

    private static void rust(Facts facts, Findings findings, SourceFile file, String text) {
        int builder = text.indexOf("GovernorConfigBuilder");
        int smart = text.indexOf("SmartIpKeyExtractor", Math.max(0, builder));
        int used = text.indexOf(".key_extractor(");
        if (builder < 0 || text.indexOf("GovernorConfigBuilder::default()") < 0) {
            return;
        }
        if (used >= 0 && smart >= 0 && facts.overwritesForwarded().isEmpty()) {
            findings.report(
                    "rust",
                    "key-spoofable",
                    "SmartIpKeyExtractor takes the key from headers that the caller writes: a new value is a new bucket",
                    file.at(
                            text.indexOf("SmartIpKeyExtractor", used) >= 0
                                    ? text.indexOf("SmartIpKeyExtractor", used)
                                    : used));
        } else if (used < 0) {
            int at = text.indexOf("GovernorConfigBuilder::default()");
            facts.surroundings()
                    .inFrontOf(file.at(1, 1))
                    .ifPresent(proxy -> findings.report(
                            "rust",
                            "key-proxy-collapse",
                            "the default key is the peer's address, and " + proxy.place() + " puts " + proxy.what()
                                    + " in front: all clients share one bucket",
                            file.at(at),
                            related(proxy.place(), proxy.what())));
        }
    }

    /** A method that builds and returns a bucket, and a caller that spends from what it returns at once. */
    private static void bucket4j(Facts facts, Findings findings, SourceFile file, String text) {
        Matcher method = JAVA_METHOD.matcher(text);
        while (method.find()) {
            Matcher builder = BUCKET_BUILDER.matcher(text);
            builder.region(method.end(), Math.min(text.length(), method.end() + 300));
            if (!builder.find()) {
                continue;
            }
            Pattern spent =
                    Pattern.compile("\\b" + Pattern.quote(method.group(1)) + "\\([^()\\n]{0,80}\\)\\.tryConsume");
            for (SourceFile caller : facts.sources().ending(".java", ".kt")) {
                Matcher call = spent.matcher(blanked(caller, "//"));
                if (call.find()) {
                    findings.report(
                            "bucket4j",
                            "state-per-request",
                            "a new bucket is built for each request (" + file.at(builder.start())
                                    + "): it is always full, and tryConsume always succeeds",
                            caller.at(call.start()),
                            related(file.at(builder.start()), "builds a new bucket"));
                }
            }
        }
    }

    private static void django(Facts facts, Findings findings, SourceFile file, String text) {
        int rates = text.indexOf("DEFAULT_THROTTLE");
        boolean shared = text.contains("CACHES") && !text.contains("LocMemCache");
        boolean elsewhere = text.contains("import *");
        Optional<Instances> several = facts.surroundings().instances().stream()
                .filter(i -> i.most() > 1)
                .findFirst();
        if (!shared && !elsewhere && several.isPresent()) {
            findings.report(
                    "django",
                    "state-per-process",
                    "throttles count in the default cache, which lives in one process, and "
                            + several.get().place() + " runs " + several.get().most() + ": up to "
                            + several.get().most() + " times the rate",
                    file.at(rates),
                    related(several.get().place(), several.get().what()));
            findings.report(
                    "django",
                    "store-race",
                    Severity.LOW,
                    "throttles read, change and write their history without a lock: calls that come together can pass together",
                    file.at(rates),
                    List.of());
        }
        boolean anonymous = text.contains("AnonRateThrottle") || text.contains("\"anon\"") || text.contains("'anon'");
        if (anonymous && !text.contains("NUM_PROXIES") && !elsewhere) {
            facts.surroundings()
                    .inFrontOf(file.at(1, 1))
                    .ifPresent(proxy -> findings.report(
                            "django",
                            "key-whole-xff",
                            "NUM_PROXIES is not set, so the key is the whole X-Forwarded-For: whoever puts a value in front gets a new bucket",
                            file.at(rates),
                            related(proxy.place(), proxy.what())));
        }
    }
}
