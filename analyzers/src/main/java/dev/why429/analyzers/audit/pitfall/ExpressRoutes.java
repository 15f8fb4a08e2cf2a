package dev.why429.analyzers.audit.pitfall;

import static dev.why429.analyzers.audit.pitfall.Findings.related;

import dev.why429.analyzers.audit.fact.Facts;
import dev.why429.analyzers.audit.fact.Key;
import dev.why429.analyzers.audit.fact.Limiter;
import dev.why429.analyzers.audit.read.Code;
import dev.why429.rules.Pitfall.Severity;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.regex.Pattern;

/** Which requests an Express limiter sees: none, some twice, those of known users by address, credentials no tighter than the rest. */
final class ExpressRoutes implements PitfallCheck {
    private static final Set<String> ROUTES = Set.of("get", "post", "put", "patch", "delete", "all");
    private static final Pattern CREDENTIALS =
            Pattern.compile("(?i)/(?:login|signin|sign-in|otp|reset|forgot|password)");
    private static final Pattern AUTHENTICATES = Pattern.compile(
            "(?i)^(?:passport\\.authenticate|authenticate|requireAuth|require_auth|authMiddleware|verifyToken|jwt|expressjwt|checkJwt|isAuthenticated)\\b.*");

    @Override
    public void look(Facts facts, Findings findings) {
        for (Limiter limiter : facts.limiters("express-rate-limit")) {
            String name = limiter.node()
                    .parent()
                    .filter(p -> p.is("variable_declarator"))
                    .map(p -> p.childText("name"))
                    .orElse("");
            status(findings, limiter);
            if (!name.isEmpty()) {
                List<Code.Call> mounts = limiter.code().calls().stream()
                        .filter(c -> c.name().equals("use") || ROUTES.contains(c.name()))
                        .filter(c ->
                                c.arguments().stream().anyMatch(a -> a.text().equals(name)))
                        .toList();
                twice(findings, limiter, mounts);
                mounts.stream()
                        .filter(c -> c.name().equals("use") && c.arguments().size() == 1)
                        .findFirst()
                        .ifPresent(global -> everywhere(facts, findings, limiter, global));
            }
        }
    }

    private static void status(Findings findings, Limiter limiter) {
        limiter.code().calls().stream()
                .filter(c -> c.node() == limiter.node())
                .findFirst()
                .flatMap(c -> c.named("statusCode"))
                .ifPresent(value -> {
                    OptionalDouble status = limiter.code().number(value);
                    if (status.isPresent() && status.getAsDouble() != 429) {
                        findings.report(
                                "code",
                                "status-not-429",
                                "refusals leave with status " + Limiter.plain(status.getAsDouble())
                                        + ": clients and balancers take them for something else",
                                value.place());
                    }
                });
    }

    /** {@code app.use(limiter)} and {@code app.get("/x", limiter, …)}: the same counter, two steps for one request. */
    private static void twice(Findings findings, Limiter limiter, List<Code.Call> mounts) {
        Optional<Code.Call> global = mounts.stream()
                .filter(c -> c.name().equals("use") && c.arguments().size() == 1)
                .findFirst();
        if (global.isEmpty()) {
            return;
        }
        mounts.stream()
                .filter(c -> c.receiver().equals(global.get().receiver()))
                .filter(c -> c.node().start() > global.get().node().start())
                .findFirst()
                .ifPresent(second -> findings.report(
                        "code",
                        "double-count",
                        "the limiter stands before all routes (" + global.get().place()
                                + ") and here again: each request here counts twice, so half of " + limiter.budget()
                                + " is left",
                        second.place(),
                        related(global.get().place(), "counts every request"),
                        related(limiter.place(), "the limiter")));
    }

    private static void everywhere(Facts facts, Findings findings, Limiter limiter, Code.Call global) {
        List<Code.Call> routes = limiter.code().calls().stream()
                .filter(c -> c.receiver().equals(global.receiver()))
                .filter(c -> (ROUTES.contains(c.name())
                                && c.arguments().size() > 1
                                && c.argument(0).matches("(?s)[\"'`]/.*"))
                        || (c.name().equals("use")
                                && c.arguments().size() > 1
                                && c.argument(0).matches("(?s)[\"'`]/.*")))
                .toList();
        boolean any = !routes.isEmpty();
        boolean allBefore =
                routes.stream().allMatch(r -> r.node().end() < global.node().start());
        if (any && allBefore && !limiter.code().inFunction(global.node())) {
            Code.Call last = routes.get(routes.size() - 1);
            findings.report(
                    "code",
                    "middleware-order",
                    "the limiter is mounted after every route (the last one at " + last.place()
                            + "): a route that answers ends the chain, so nothing is ever counted",
                    global.place(),
                    related(last.place(), "answers before the limiter"),
                    related(limiter.place(), "the limiter"));
            return;
        }
        routes.stream()
                .filter(r -> CREDENTIALS.matcher(r.argument(0)).find())
                .filter(r -> r.arguments().stream()
                        .noneMatch(
                                a -> a.text().toLowerCase(java.util.Locale.ROOT).contains("limit")))
                .findFirst()
                .filter(r -> facts.limiters().size() == 1)
                .ifPresent(login -> findings.report(
                        "code",
                        "one-limit-for-all-routes",
                        Severity.LOW,
                        "guesses at " + Code.unquoted(login.argument(0)) + " may use the same " + limiter.budget()
                                + " as everything else",
                        login.place(),
                        List.of(related(limiter.place(), "the only limiter"))));
        limiter.code().calls("use").stream()
                .filter(c ->
                        c.receiver().equals(global.receiver()) && c.arguments().size() == 1)
                .filter(c -> c.node().end() < global.node().start())
                .filter(c -> AUTHENTICATES.matcher(c.argument(0)).matches())
                .findFirst()
                .filter(c -> limiter.key().source() == Key.Source.FRAMEWORK_ADDRESS)
                .ifPresent(auth -> findings.report(
                        "code",
                        "key-ip-after-auth",
                        Severity.MEDIUM,
                        "who calls is known here (" + auth.place()
                                + "), and still the address is counted: an office shares " + limiter.budget()
                                + ", and one user with many addresses has it many times",
                        global.place(),
                        List.of(related(auth.place(), "authenticates"), related(limiter.place(), "the limiter"))));
    }
}
