package dev.why429.analyzers.audit.read;

import dev.why429.analyzers.audit.AuditReport;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Every audited file, read by the reader that its name and content call for. */
public final class Sources {
    /** A YAML or JSON file with its documents. */
    public record Config(SourceFile file, List<ConfigNode> documents) {}

    /** A file in nginx's or Caddy's language. */
    public record Blocks(SourceFile file, List<NginxReader.Directive> directives) {}

    private static final int MAX_CODE_CHARS = 512 * 1024;
    /** What a file must speak of before its syntax tree is worth its price. */
    private static final List<String> CODE_WORDS =
            List.of("limit", "429", "throttl", "redis", "trust proxy", "trustproxy", "proxyfix", "quota");

    private static final List<String> SCRIPT_CALLS = List.of("redis.call", "redis.pcall");

    private final Map<String, SourceFile> files = new LinkedHashMap<>();
    private final List<Config> configs = new ArrayList<>();
    private final List<Blocks> nginx = new ArrayList<>();
    private final List<Blocks> caddy = new ArrayList<>();
    private final List<Code> codes = new ArrayList<>();
    private final List<LuaScript> scripts = new ArrayList<>();
    private final List<AuditReport.Unread> unread = new ArrayList<>();
    private final SyntaxReader syntax = new SyntaxReader();

    public static Sources read(FileWalk walk) {
        Sources sources = new Sources();
        sources.unread.addAll(walk.unread());
        for (Path path : walk.files()) {
            try {
                SourceFile file = walk.read(path);
                sources.files.put(file.path(), file);
                sources.add(file);
            } catch (UnreadableException e) {
                sources.unread.add(new AuditReport.Unread(e.place(), e.getMessage()));
            }
        }
        return sources;
    }

    private void add(SourceFile file) throws UnreadableException {
        List<UnreadableException> faults = new ArrayList<>();
        String name = file.name();
        String ending = name.substring(name.lastIndexOf('.') + 1);
        switch (ending) {
            case "yml", "yaml" -> configs.add(new Config(file, YamlReader.read(file, faults)));
            case "json" -> {
                if (name.equals("package.json") || speaksOf(file.text(), List.of("limit", "replica", "throttl"))) {
                    configs.add(new Config(file, YamlReader.read(file, faults)));
                }
            }
            case "js", "mjs", "cjs", "jsx" -> code(file, SyntaxReader.Language.JAVASCRIPT);
            case "ts", "mts", "cts", "tsx" -> code(file, SyntaxReader.Language.TYPESCRIPT);
            case "py" -> code(file, SyntaxReader.Language.PYTHON);
            case "lua", "redis" -> {
                if (file.text().contains("redis.")) {
                    scripts.add(LuaScript.read(file, 0, file.text().length()));
                }
            }
            case "caddyfile" -> caddy.add(new Blocks(file, NginxReader.lines(file, faults)));
            case "conf", "nginx" -> {
                if (looksLikeNginx(file.text())) {
                    nginx.add(new Blocks(file, NginxReader.read(file, faults)));
                }
            }
            default -> {}
        }
        for (UnreadableException fault : faults) {
            unread.add(new AuditReport.Unread(fault.place(), fault.getMessage()));
        }
    }

    private static boolean looksLikeNginx(String text) {
        return (text.contains("{") && text.contains(";"))
                || text.contains("limit_req")
                || text.contains("real_ip_header ");
    }

    private void code(SourceFile file, SyntaxReader.Language language) throws UnreadableException {
        if (file.name().endsWith(".d.ts") || file.name().contains(".min.") || !speaksOf(file.text(), CODE_WORDS)) {
            return;
        }
        if (file.text().length() > MAX_CODE_CHARS) {
            throw new UnreadableException(file.at(1, 1), "larger than " + MAX_CODE_CHARS / 1024 + " KiB");
        }
        Code code = new Code(file, language, syntax.read(file, language));
        codes.add(code);
        for (Syntax string : code.root().all("string", "template_string")) {
            if (speaksOf(string.text(), SCRIPT_CALLS)) {
                int from = file.text().indexOf("redis.", string.start());
                int quote = string.start();
                while (quote < from && "`'\"frbu".indexOf(file.text().charAt(quote)) >= 0) {
                    quote++;
                }
                scripts.add(LuaScript.read(file, quote, Math.max(quote, string.end() - 1)));
            }
        }
    }

    private static boolean speaksOf(String text, List<String> words) {
        String lower = text.toLowerCase(Locale.ROOT);
        return words.stream().anyMatch(lower::contains);
    }

    public Map<String, SourceFile> files() {
        return files;
    }

    public Optional<SourceFile> file(String path) {
        return Optional.ofNullable(files.get(path));
    }

    /** Files whose name ends so, without those that serve tests. */
    public List<SourceFile> ending(String... endings) {
        return files.values().stream()
                .filter(file -> !file.forTests())
                .filter(file -> List.of(endings).stream().anyMatch(file.name()::endsWith))
                .toList();
    }

    public List<Config> configs() {
        return configs;
    }

    /** All documents of all YAML and JSON files. */
    public List<ConfigNode> documents() {
        return configs.stream().flatMap(config -> config.documents().stream()).toList();
    }

    public List<Blocks> nginx() {
        return nginx;
    }

    public List<Blocks> caddy() {
        return caddy;
    }

    public List<Code> codes() {
        return codes.stream().filter(code -> !code.file().forTests()).toList();
    }

    public List<LuaScript> scripts() {
        return scripts.stream().filter(script -> !script.file().forTests()).toList();
    }

    public List<AuditReport.Unread> unread() {
        return unread;
    }
}
