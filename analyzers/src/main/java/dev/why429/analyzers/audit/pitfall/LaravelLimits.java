package dev.why429.analyzers.audit.pitfall;

import static dev.why429.analyzers.audit.pitfall.Findings.related;

import dev.why429.analyzers.audit.Place;
import dev.why429.analyzers.audit.fact.Facts;
import dev.why429.analyzers.audit.read.SourceFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Laravel's RateLimiter: keys that are missing, shared, or the proxy's. */
final class LaravelLimits implements PitfallCheck {
    private static final Pattern LARAVEL_LIMIT = Pattern.compile("Limit::per\\w{3,12}\\(");
    private static final Pattern LARAVEL_FOR = Pattern.compile("RateLimiter::for\\(\\s{0,5}['\"]([^'\"]{1,60})['\"]");

    @Override
    public void look(Facts facts, Findings findings) {
        for (SourceFile file : facts.sources().ending(".php")) {
            laravel(facts, findings, file, CodeText.blanked(file, "//"));
        }
    }

    private static void laravel(Facts facts, Findings findings, SourceFile file, String text) {
        Matcher named = LARAVEL_FOR.matcher(text);
        while (named.find()) {
            int end = CodeText.closing(text, text.indexOf('(', named.start()));
            List<String> keys = new ArrayList<>();
            List<Integer> places = new ArrayList<>();
            Matcher limit = LARAVEL_LIMIT.matcher(text);
            limit.region(named.start(), end);
            while (limit.find()) {
                int after = CodeText.closing(text, limit.end() - 1);
                String rest = text.substring(Math.min(after + 1, end), Math.min(end, after + 400))
                        .stripLeading();
                boolean by = rest.startsWith("->by(");
                int open = text.indexOf("->by(", after) + 4;
                keys.add(
                        by
                                ? text.substring(open + 1, CodeText.closing(text, open))
                                        .replace(" ", "")
                                : "");
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
        // Laravel 11 and later: bootstrap/app.php says it, or nobody does
        for (SourceFile file : facts.sources().ending("app.php")) {
            int at = file.text().indexOf("->withMiddleware(");
            if (file.path().endsWith("bootstrap/app.php")
                    && at >= 0
                    && !file.text().contains("trustProxies")) {
                return Optional.of(file.at(at + 2));
            }
        }
        return Optional.empty();
    }
}
