package dev.why429.analyzers.audit.limit;

import dev.why429.analyzers.audit.fact.Facts;
import dev.why429.analyzers.audit.fact.Limiter;
import dev.why429.analyzers.audit.limit.DeclaredLimit.Algorithm;
import dev.why429.analyzers.audit.limit.DeclaredLimit.Store;
import dev.why429.analyzers.audit.read.Durations;
import dev.why429.analyzers.audit.read.SourceFile;
import dev.why429.analyzers.audit.read.Sources;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Limits that stand in code. Only literal numbers are taken; a sum or a name that is given a value elsewhere is unknown. */
final class CodeDeclared implements LimitReader {
    private static final String UNITS = "(seconds?|minutes?|hours?|days?|months?)";

    /**
     * How one library writes a limit.
     *
     * @param count group of the number, {@code unit} of the span's unit, {@code times} of how many of it (0 = one)
     * @param needs a word that the file must hold
     */
    private record Form(
            String technology,
            Algorithm algorithm,
            List<String> endings,
            String needs,
            Pattern text,
            int count,
            int times,
            int unit) {}

    private static final List<Form> FORMS = List.of(
            // @limiter.limit("10/minute"), "10 per 5 minutes"
            new Form(
                    "flask-limiter",
                    Algorithm.FIXED_WINDOW,
                    List.of(".py"),
                    "imiter",
                    Pattern.compile("[\"'](\\d{1,9})\\s{0,3}(?:/|per)\\s{0,3}(\\d{1,6})?\\s{0,3}" + UNITS + "[\"';]"),
                    1,
                    2,
                    3),
            // 'anon': '100/day'
            new Form(
                    "django",
                    Algorithm.SLIDING_WINDOW,
                    List.of(".py"),
                    "DEFAULT_THROTTLE_RATES",
                    Pattern.compile("['\"](\\d{1,9})/(s|sec|second|m|min|minute|h|hour|d|day)['\"]"),
                    1,
                    0,
                    2),
            new Form(
                    "laravel",
                    Algorithm.FIXED_WINDOW,
                    List.of(".php"),
                    "Limit::",
                    Pattern.compile("Limit::per(Second|Minute|Hour|Day)\\(\\s{0,3}(\\d{1,9})"),
                    2,
                    0,
                    1),
            // throttle("req/ip", limit: 5, period: 20.seconds)
            new Form(
                    "rack-attack",
                    Algorithm.FIXED_WINDOW,
                    List.of(".rb"),
                    "Rack::Attack",
                    Pattern.compile(
                            "throttle\\s{0,2}\\(?[^\\n]{0,100}limit: ?(\\d{1,9}), ?period: ?(\\d{1,9})(?:\\.(seconds?|minutes?|hours?|days?))?"),
                    1,
                    2,
                    3),
            new Form(
                    "go-rate",
                    Algorithm.TOKEN_BUCKET,
                    List.of(".go"),
                    "golang.org/x/time/rate",
                    Pattern.compile("rate\\.NewLimiter\\(\\s{0,3}(?:rate\\.Limit\\()?(\\d{1,9})"),
                    1,
                    0,
                    0),
            // httprate.LimitByIP(100, 1*time.Minute)
            new Form(
                    "httprate",
                    Algorithm.SLIDING_WINDOW,
                    List.of(".go"),
                    "httprate",
                    Pattern.compile(
                            "httprate\\.Limit\\w{0,12}\\(\\s{0,12}(\\d{1,9}),\\s{0,12}(?:(\\d{1,6})\\s?\\*\\s?)?time\\.(Second|Minute|Hour)"),
                    1,
                    2,
                    3),
            new Form(
                    "bucket4j",
                    Algorithm.TOKEN_BUCKET,
                    List.of(".java", ".kt"),
                    "Bandwidth",
                    Pattern.compile(
                            "(?:Bandwidth\\.simple|refillGreedy|refillIntervally|Refill\\.(?:greedy|intervally))\\(\\s{0,12}(\\d{1,9}),\\s{0,12}Duration\\.of(Seconds|Minutes|Hours|Days)\\((\\d{1,6})\\)"),
                    1,
                    3,
                    2),
            new Form(
                    "guava",
                    Algorithm.TOKEN_BUCKET,
                    List.of(".java", ".kt"),
                    "RateLimiter",
                    Pattern.compile("RateLimiter\\.create\\(\\s{0,3}(\\d{1,9}(?:\\.\\d{1,4})?)"),
                    1,
                    0,
                    0),
            new Form(
                    "rust-governor",
                    Algorithm.TOKEN_BUCKET,
                    List.of(".rs"),
                    "overnor",
                    Pattern.compile("\\.(?:requests_)?per_(second|minute)\\(\\s{0,3}(\\d{1,9})\\)"),
                    2,
                    0,
                    1));

    private static final Pattern DOTNET = Pattern.compile(
            "(?:PermitLimit|TokenLimit)\\s{0,3}=\\s{0,3}(\\d{1,9})[^}]{0,300}?TimeSpan\\.From(Seconds|Minutes|Hours|Days)\\((\\d{1,6})");

    /** Limiters that a syntax tree showed. */
    static void libraries(Facts facts, List<DeclaredLimit> into) {
        for (Limiter limiter : facts.limiters()) {
            if (limiter.limit().isPresent()) {
                into.add(DeclaredLimit.of(limiter.library(), Algorithm.FIXED_WINDOW, limiter.place())
                        .limit(limiter.limit())
                        .window(limiter.windowSeconds())
                        .key(limiter.key().text())
                        .store(store(limiter.store()))
                        .status(OptionalDouble.of(429))
                        .build());
            }
        }
    }

    @Override
    public void read(Sources sources, List<DeclaredLimit> into) {
        for (SourceFile file : sources.files().values()) {
            if (!file.forTests()) {
                FORMS.forEach(form -> forms(file, form, into));
                if (file.name().endsWith(".cs") && file.text().contains("RateLimit")) {
                    dotnet(file, into);
                }
            }
        }
    }

    private static Store store(Limiter.Store store) {
        return switch (store) {
            case IN_PROCESS -> Store.LOCAL;
            case SHARED -> Store.SHARED;
            case UNKNOWN -> Store.UNKNOWN;
        };
    }

    private static void forms(SourceFile file, Form form, List<DeclaredLimit> into) {
        if (form.endings().stream().noneMatch(file.name()::endsWith)
                || !file.text().contains(form.needs())) {
            return;
        }
        Matcher found = form.text().matcher(file.text());
        while (found.find()) {
            OptionalDouble count = NginxDeclared.number(found.group(form.count()));
            OptionalDouble seconds = span(form, found);
            boolean bucket = form.algorithm() == Algorithm.TOKEN_BUCKET && form.unit() == 0;
            into.add(DeclaredLimit.of(form.technology(), form.algorithm(), file.at(found.start()))
                    .limit(bucket ? OptionalDouble.empty() : count)
                    .rate(bucket ? count : OptionalDouble.empty())
                    .window(bucket ? OptionalDouble.empty() : seconds)
                    .build());
        }
    }

    private static OptionalDouble span(Form form, Matcher found) {
        String unit = form.unit() == 0 ? "" : found.group(form.unit());
        String times = form.times() == 0 ? null : found.group(form.times());
        OptionalDouble one = unit == null || unit.isEmpty()
                ? OptionalDouble.of(1)
                : Durations.seconds("1" + unit.toLowerCase(Locale.ROOT));
        return one.isEmpty()
                ? one
                : OptionalDouble.of(one.getAsDouble() * (times == null ? 1 : Double.parseDouble(times)));
    }

    private static void dotnet(SourceFile file, List<DeclaredLimit> into) {
        Matcher found = DOTNET.matcher(file.text());
        while (found.find()) {
            double unit = Durations.seconds("1" + found.group(2).toLowerCase(Locale.ROOT))
                    .orElse(1);
            into.add(DeclaredLimit.of("aspnet", Algorithm.FIXED_WINDOW, file.at(found.start()))
                    .limit(NginxDeclared.number(found.group(1)))
                    .window(OptionalDouble.of(unit * Double.parseDouble(found.group(3))))
                    .store(Store.LOCAL)
                    .build());
        }
    }
}
