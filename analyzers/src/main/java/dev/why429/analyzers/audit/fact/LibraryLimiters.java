package dev.why429.analyzers.audit.fact;

import dev.why429.analyzers.audit.read.Code;
import dev.why429.analyzers.audit.read.Syntax;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Limiters that a library builds, in JavaScript, TypeScript and Python. */
final class LibraryLimiters {
    static final String EXPRESS = "express-rate-limit";
    static final String FASTIFY = "@fastify/rate-limit";
    static final String NEST = "@nestjs/throttler";
    static final String FLEXIBLE = "rate-limiter-flexible";
    static final String FLASK = "flask-limiter";
    static final String SLOWAPI = "slowapi";

    private LibraryLimiters() {}

    static List<Limiter> of(Code code) {
        List<Limiter> found = new ArrayList<>();
        Map<String, String> modules = modules(code);
        for (Code.Call call : code.calls()) {
            String module = modules.getOrDefault(call.callee(), "");
            if (module.equals(EXPRESS) && isBuilder(call)) {
                found.add(express(code, call));
            } else if (call.name().equals("register") && isFastify(modules, call)) {
                found.add(fastify(code, call));
            } else if (call.callee().equals("ThrottlerModule.forRoot")
                    || call.callee().equals("ThrottlerModule.forRootAsync")) {
                found.add(nest(code, call));
            } else if (call.callee().equals("Limiter") && module.startsWith("flask_limiter")) {
                found.add(python(code, call, FLASK));
            } else if (call.callee().equals("Limiter") && module.startsWith("slowapi")) {
                found.add(python(code, call, SLOWAPI));
            } else if (module.equals(FLEXIBLE) && call.name().startsWith("RateLimiter")) {
                found.add(flexible(code, call));
            }
        }
        return found;
    }

    /** Local names and the modules they come from. */
    static Map<String, String> modules(Code code) {
        Map<String, String> modules = new HashMap<>();
        for (Syntax statement : code.root().all("import_statement", "import_from_statement")) {
            String module = statement
                    .child("source")
                    .map(s -> Code.unquoted(s.text()))
                    .or(() -> statement.child("module_name").map(Syntax::text))
                    .orElse("");
            for (Syntax name : statement.all("identifier", "dotted_name")) {
                modules.putIfAbsent(name.text(), module);
            }
        }
        for (Code.Variable variable : code.variables()) {
            String value = variable.value().text().replace(" ", "");
            int open = value.indexOf("require(");
            if (open >= 0 && open < 8) {
                int close = value.indexOf(')', open);
                String module = Code.unquoted(value.substring(open + 8, Math.max(open + 8, close)));
                String names = variable.name().replaceAll("[{}\\s]", "");
                for (String name : names.split(",", -1)) {
                    modules.putIfAbsent(name.substring(name.indexOf(':') + 1), module);
                }
            }
        }
        return modules;
    }

    private static boolean isBuilder(Code.Call call) {
        return !call.name().endsWith("KeyGenerator") && !call.name().equals("MemoryStore");
    }

    private static boolean isFastify(Map<String, String> modules, Code.Call call) {
        String plugin = call.argument(0);
        String module = modules.getOrDefault(plugin, plugin);
        return module.contains("@fastify/rate-limit") || module.contains("fastify-rate-limit");
    }

    private static Limiter express(Code code, Code.Call call) {
        Limiter.Store store = call.named("store").isPresent() ? shared(code, call, "store") : Limiter.Store.IN_PROCESS;
        if (!call.arguments().isEmpty()
                && !code.resolve(call.arguments().get(0)).is("object")) {
            store = Limiter.Store.UNKNOWN;
        }
        return new Limiter(
                EXPRESS,
                code,
                call.node(),
                call.place(),
                spread(call) ? Limiter.Store.UNKNOWN : store,
                key(code, call, "keyGenerator"),
                number(code, call, "limit", "max"),
                millis(number(code, call, "windowMs"), 60));
    }

    private static Limiter fastify(Code code, Code.Call call) {
        Limiter.Store store =
                call.named("redis").isPresent() || call.named("store").isPresent()
                        ? Limiter.Store.SHARED
                        : spread(call) ? Limiter.Store.UNKNOWN : Limiter.Store.IN_PROCESS;
        return new Limiter(
                FASTIFY,
                code,
                call.node(),
                call.place(),
                store,
                key(code, call, "keyGenerator"),
                number(code, call, "max"),
                millis(number(code, call, "timeWindow"), 0));
    }

    private static Limiter nest(Code code, Code.Call call) {
        String text = call.node().text();
        Limiter.Store store = text.contains("storage") || call.name().endsWith("Async")
                ? Limiter.Store.UNKNOWN
                : Limiter.Store.IN_PROCESS;
        Key key = new Key(Key.Source.FRAMEWORK_ADDRESS, "req.ip", call.place());
        return new Limiter(
                NEST,
                code,
                call.node(),
                call.place(),
                store,
                key,
                inner(code, call, "limit"),
                millis(inner(code, call, "ttl"), 0));
    }

    private static Limiter flexible(Code code, Code.Call call) {
        boolean memory = call.name().equals("RateLimiterMemory");
        return new Limiter(
                FLEXIBLE,
                code,
                call.node(),
                call.place(),
                memory ? Limiter.Store.IN_PROCESS : Limiter.Store.SHARED,
                consumed(code).orElse(new Key(Key.Source.UNKNOWN, "", call.place())),
                number(code, call, "points"),
                number(code, call, "duration"));
    }

    private static Optional<Key> consumed(Code code) {
        return code.calls("consume").stream()
                .filter(c -> !c.arguments().isEmpty())
                .map(c -> KeyReader.read(code, c.arguments().get(0)))
                .findFirst();
    }

    private static Limiter python(Code code, Code.Call call, String library) {
        Optional<Syntax> uri = call.named("storage_uri");
        Limiter.Store store = Limiter.Store.UNKNOWN;
        if (uri.isPresent()) {
            String text = Code.unquoted(code.resolve(uri.get()).text());
            store = text.startsWith("memory")
                    ? Limiter.Store.IN_PROCESS
                    : text.contains("://") ? Limiter.Store.SHARED : Limiter.Store.UNKNOWN;
        } else if (!code.file().text().contains("RATELIMIT_STORAGE")
                && !call.node().text().contains("**")) {
            store = Limiter.Store.IN_PROCESS;
        }
        Key key = call.named("key_func")
                .or(() -> call.arguments().stream()
                        .filter(a -> !a.is("keyword_argument"))
                        .findFirst())
                .map(node -> KeyReader.read(code, node))
                .orElse(new Key(Key.Source.UNKNOWN, "", call.place()));
        return new Limiter(
                library, code, call.node(), call.place(), store, key, OptionalDouble.empty(), OptionalDouble.empty());
    }

    private static boolean spread(Code.Call call) {
        return call.node().text().contains("...")
                && call.arguments().stream().anyMatch(a -> a.children().stream().anyMatch(c -> c.is("spread_element")));
    }

    private static Limiter.Store shared(Code code, Code.Call call, String name) {
        String text = code.resolve(call.named(name).orElseThrow()).text().toLowerCase(Locale.ROOT);
        return text.contains("memorystore")
                ? Limiter.Store.IN_PROCESS
                : text.contains("redis")
                                || text.contains("memcache")
                                || text.contains("mongo")
                                || text.contains("postgres")
                        ? Limiter.Store.SHARED
                        : Limiter.Store.UNKNOWN;
    }

    private static Key key(Code code, Code.Call call, String name) {
        return call.named(name)
                .map(node -> KeyReader.read(code, node))
                .orElse(new Key(
                        spread(call) ? Key.Source.UNKNOWN : Key.Source.FRAMEWORK_ADDRESS, "req.ip", call.place()));
    }

    private static OptionalDouble number(Code code, Code.Call call, String... names) {
        Optional<Syntax> value = call.named(names);
        return value.isPresent() ? code.number(value.get()) : OptionalDouble.empty();
    }

    private static OptionalDouble inner(Code code, Code.Call call, String name) {
        return call.node().all("object").stream()
                .flatMap(object -> Code.property(object, name).stream())
                .findFirst()
                .map(code::number)
                .orElse(OptionalDouble.empty());
    }

    private static OptionalDouble millis(OptionalDouble value, double otherwiseSeconds) {
        if (value.isPresent()) {
            return OptionalDouble.of(value.getAsDouble() / 1000);
        }
        return otherwiseSeconds > 0 ? OptionalDouble.of(otherwiseSeconds) : OptionalDouble.empty();
    }
}
