package dev.why429.analyzers.audit.pitfall;

import static dev.why429.analyzers.audit.pitfall.Findings.related;

import dev.why429.analyzers.audit.Place;
import dev.why429.analyzers.audit.fact.Facts;
import dev.why429.analyzers.audit.fact.Limiter;
import dev.why429.analyzers.audit.read.Code;
import dev.why429.analyzers.audit.read.ConfigNode;
import dev.why429.analyzers.audit.read.Syntax;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How an Express limiter is wired: built for each request, before CORS, over the health route, sharing another's counters. */
final class ExpressWiring implements PitfallCheck {
    private static final double SECONDS_PER_PROBE = 10;

    /** One probe of a manifest. */
    private record Probe(String path, double everySeconds, Place place) {}

    @Override
    public void look(Facts facts, Findings findings) {
        List<Limiter> limiters = facts.limiters("express-rate-limit");
        List<Probe> probes = limiters.isEmpty() ? List.of() : probes(facts);
        for (Limiter limiter : limiters) {
            perRequest(findings, limiter);
            for (Code.Call use : mounts(limiter)) {
                beforeCors(findings, limiter, use);
                probes.forEach(probe -> overHealth(findings, limiter, use, probe));
            }
        }
        sharedCounters(findings, limiters);
    }

    /** {@code app.use(limiter)} for all paths, in the file that builds the limiter. */
    private static List<Code.Call> mounts(Limiter limiter) {
        String name = limiter.node()
                .parent()
                .filter(p -> p.is("variable_declarator"))
                .map(p -> p.childText("name"))
                .orElse("");
        return limiter.code().calls("use").stream()
                .filter(use -> use.arguments().size() == 1)
                .filter(use ->
                        use.argument(0).equals(name) || use.arguments().get(0).contains(limiter.node()))
                .toList();
    }

    private static void perRequest(Findings findings, Limiter limiter) {
        Code code = limiter.code();
        Syntax function = code.functionAround(limiter.node());
        String parameters = function.childText("parameters").replace(" ", "");
        boolean handler = parameters.matches("\\((_?req|request|ctx|context|c)\\b.*");
        String text = function.text();
        boolean kept = text.contains(".get(") || text.contains(".has(") || text.contains("??=") || text.contains("||=");
        boolean argumentOfMount = limiter.node()
                .around("call_expression")
                .filter(call -> call.childText("function").matches("(?s).*\\.(use|get|post|put|delete|all|route)"))
                .filter(call -> !call.contains(function))
                .isPresent();
        if (handler && !kept && !argumentOfMount && limiter.store() != Limiter.Store.SHARED) {
            findings.report(
                    "code",
                    "state-per-request",
                    "the limiter is built anew for each request: its count is always one",
                    limiter.place(),
                    related(function.place(), "runs for each request"));
        }
    }

    private static void beforeCors(Findings findings, Limiter limiter, Code.Call use) {
        if (limiter.node().text().contains("OPTIONS") || limiter.node().text().contains("skip")) {
            return;
        }
        limiter.code().calls("use").stream()
                .filter(other ->
                        other.arguments().stream().anyMatch(a -> a.text().startsWith("cors(")))
                .filter(other -> other.node().start() > use.node().start())
                .findFirst()
                .ifPresent(cors -> {
                    findings.report(
                            "code",
                            "preflight-counted",
                            "the limiter runs before cors(): each preflight counts, so a browser gets half of "
                                    + limiter.budget(),
                            use.place(),
                            related(cors.place(), "cors() comes later"),
                            related(limiter.place(), "the limiter"));
                    findings.report(
                            "code",
                            "cors-masked-429",
                            "the limiter runs before cors(): its 429 has no CORS headers, and the page sees a CORS error instead",
                            use.place(),
                            related(cors.place(), "cors() comes later"));
                });
    }

    private static void overHealth(Findings findings, Limiter limiter, Code.Call use, Probe probe) {
        if (limiter.limit().isEmpty()
                || limiter.windowSeconds().isEmpty()
                || limiter.node().text().contains("skip")) {
            return;
        }
        double window = limiter.windowSeconds().getAsDouble();
        double spent = window / probe.everySeconds();
        Optional<Code.Call> route = limiter.code().calls().stream()
                .filter(c -> List.of("get", "all", "head").contains(c.name()))
                .filter(c -> Code.unquoted(c.argument(0)).equals(probe.path()))
                .findFirst();
        boolean covered =
                route.isPresent() && route.get().node().start() > use.node().start();
        if (covered && spent > limiter.limit().getAsDouble()) {
            long after = (long) (limiter.limit().getAsDouble() * probe.everySeconds());
            findings.report(
                    "code",
                    "probe-counted",
                    "the limiter also covers " + probe.path() + ", and the probe spends " + Limiter.plain(spent)
                            + " of " + limiter.budget() + ": 429 after " + duration(after)
                            + ", then the pod is taken for ill",
                    use.place(),
                    related(probe.place(), "the probe, every " + Limiter.plain(probe.everySeconds()) + " s"),
                    related(limiter.place(), "the limit"));
        }
    }

    private static String duration(long seconds) {
        return seconds / 3600 + "h" + seconds / 60 % 60 + "m" + seconds % 60 + "s";
    }

    private static List<Probe> probes(Facts facts) {
        List<Probe> found = new ArrayList<>();
        for (ConfigNode document : facts.sources().documents()) {
            document.walkEntries((map, entry) -> {
                String path = entry.value().string("httpGet", "path");
                if (entry.key().endsWith("Probe") && !path.isEmpty()) {
                    Optional<ConfigNode> period = entry.value().get("periodSeconds");
                    found.add(new Probe(
                            path,
                            period.isPresent() ? period.get().number().orElse(SECONDS_PER_PROBE) : SECONDS_PER_PROBE,
                            period.map(ConfigNode::place).orElse(entry.place())));
                }
            });
        }
        return found;
    }

    /** The store that a limiter is given: built in place, by name, or by a function that always builds the same. */
    private static Optional<Code.Call> storeOf(Limiter limiter) {
        Code code = limiter.code();
        Optional<Syntax> given = code.calls().stream()
                .filter(call -> call.node() == limiter.node())
                .findFirst()
                .flatMap(call -> call.named("store"))
                .map(code::resolve);
        if (given.isEmpty()) {
            return Optional.empty();
        }
        Syntax at = given.get();
        if (at.is("call_expression")
                && code.callsIn(at).stream().allMatch(c -> c.arguments().isEmpty())) {
            String made = at.childText("function");
            Optional<Syntax> maker = code.functions().stream()
                    .filter(f -> Code.nameOf(f).equals(made))
                    .findFirst();
            at = maker.orElse(at);
        }
        Syntax scope = at;
        return code.callsIn(scope).stream()
                .filter(call -> call.callee().endsWith("RedisStore"))
                .findFirst();
    }

    /** Two limiters whose Redis stores have the same prefix count into the same keys. */
    private static void sharedCounters(Findings findings, List<Limiter> limiters) {
        Map<String, Limiter> byPrefix = new HashMap<>();
        for (Limiter limiter : limiters) {
            Optional<Code.Call> store = storeOf(limiter);
            if (store.isEmpty()
                    || store.get().arguments().stream()
                            .anyMatch(a -> a.children().stream().anyMatch(c -> c.is("spread_element")))) {
                continue;
            }
            String prefix = store.get()
                    .named("prefix")
                    .map(p -> limiter.code().resolve(p).text())
                    .orElse("\"rl:\"");
            if (prefix.contains("${") || !"\"'`".contains(prefix.substring(0, 1))) {
                continue;
            }
            Limiter other = byPrefix.putIfAbsent(
                    Code.unquoted(prefix) + "|" + limiter.key().source()
                            + limiter.key().text(),
                    limiter);
            if (other != null && !other.place().equals(limiter.place())) {
                findings.report(
                        "code",
                        "key-collision",
                        "this limiter and the one at " + other.place() + " count into the same Redis keys (prefix "
                                + prefix + "): each eats the other's budget, and the window is undefined",
                        store.get().place(),
                        related(other.place(), "the other limiter"),
                        related(limiter.place(), "this limiter"));
            }
        }
    }
}
