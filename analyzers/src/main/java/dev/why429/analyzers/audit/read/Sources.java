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
    private static final List<String> CODE_WORDS = List.of(
            "429",
            "too many",
            "toomany",
            "too_many",
            "ratelimit",
            "rate_limit",
            "rate-limit",
            "rate limit",
            "limiter",
            "throttl",
            "redis",
            "valkey",
            "trust proxy",
            "trustproxy",
            "proxyfix",
            "proxyheaders",
            "retry-after",
            "quota");

    /** What a TOML or properties file must speak of to be a limiter or its surroundings. */
    private static final List<String> CONFIG_WORDS =
            List.of("limit", "throttl", "bucket", "forwarded", "redis", "trustedips", "quota", "gateway", "retry");

    private static final List<String> SCRIPT_CALLS = List.of("redis.call", "redis.pcall");

    private final Map<String, SourceFile> files = new LinkedHashMap<>();
    private final List<Config> configs = new ArrayList<>();
    private final List<ConfigNode> terraform = new ArrayList<>();
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
        List<UnreadableException> faults = new ArrayList<>();
        List<Blocks> resolved = NginxIncludes.resolve(List.copyOf(sources.nginx), faults);
        sources.nginx.clear();
        sources.nginx.addAll(resolved);
        faults.forEach(fault -> sources.unread.add(new AuditReport.Unread(fault.place(), fault.getMessage())));
        return sources;
    }

    private void add(SourceFile file) throws UnreadableException {
        if (file.forTests()
                || file.name().equals("pnpm-lock.yaml")
                || file.name().equals("package-lock.json")) {
            return;
        }
        List<UnreadableException> faults = new ArrayList<>();
        String name = file.name();
        String ending = name.substring(name.lastIndexOf('.') + 1);
        if (isNginxByPlace(file)) {
            if (looksLikeNginx(file.text())) {
                nginx.add(new Blocks(file, NginxReader.read(file, faults)));
            }
            ending = "";
        } else if (name.startsWith("caddyfile")) {
            ending = "caddyfile";
        }
        switch (ending) {
            case "yml", "yaml" -> {
                List<ConfigNode> documents = YamlReader.read(file, faults);
                configs.add(new Config(file, documents));
                documents.forEach(document -> embedded(file, document, faults));
            }
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
            case "tf" -> terraform.addAll(HclReader.read(file, faults));
            case "vue", "svelte" -> code(scriptsOnly(file), SyntaxReader.Language.TYPESCRIPT);
            case "toml" -> {
                if (speaksOf(file.text(), CONFIG_WORDS)) {
                    configs.add(new Config(file, TomlReader.read(file, faults)));
                }
            }
            case "properties" -> {
                if (speaksOf(file.text(), CONFIG_WORDS)) {
                    configs.add(new Config(file, PropertiesReader.read(file)));
                }
            }
            case "caddyfile", "caddy" -> caddy.add(new Blocks(file, NginxReader.lines(file, faults)));
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

    /** Files inside a ConfigMap, {@code nginx.conf: |}: read as if they stood alone, with the lines that they have here. */
    private void embedded(SourceFile file, ConfigNode document, List<UnreadableException> faults) {
        if (!document.string("kind").equals("ConfigMap")) {
            return;
        }
        for (ConfigNode.Entry entry :
                document.get("data").map(ConfigNode::entries).orElse(List.of())) {
            String key = entry.key().toLowerCase(Locale.ROOT);
            String text = entry.value().text();
            int before = entry.value().place().line()
                    - (file.line(entry.place().line()).matches(".*[|>][-+0-9]{0,2}") ? 0 : 1);
            if (!text.contains("\n") || before < 0) {
                continue;
            }
            SourceFile inner = new SourceFile(file.path(), "\n".repeat(before) + text);
            if (key.endsWith(".yaml") || key.endsWith(".yml")) {
                configs.add(new Config(inner, YamlReader.read(inner, faults)));
            } else if (key.endsWith(".toml")) {
                configs.add(new Config(inner, TomlReader.read(inner, faults)));
            } else if (key.endsWith(".conf") && looksLikeNginx(text)) {
                nginx.add(new Blocks(inner, NginxReader.read(inner, faults)));
            } else if (key.equals("caddyfile")) {
                caddy.add(new Blocks(inner, NginxReader.lines(inner, faults)));
            }
        }
    }

    /** The scripts of a page of components; all else is blanked, every offset as before. */
    private static SourceFile scriptsOnly(SourceFile file) {
        String text = file.text();
        StringBuilder out = new StringBuilder();
        int at = 0;
        while (at < text.length()) {
            int open = text.indexOf("<script", at);
            int start = open < 0 ? -1 : text.indexOf('>', open) + 1;
            int end = start <= 0 ? -1 : text.indexOf("</script", start);
            int blank = end < 0 ? text.length() : start;
            for (; at < blank; at++) {
                out.append(text.charAt(at) == '\n' ? '\n' : ' ');
            }
            if (end > 0) {
                out.append(text, start, end);
                at = end;
            }
        }
        return new SourceFile(file.path(), out.toString());
    }

    /** Names that say nginx without the ending {@code .conf}: sites-enabled/shop, nginx.conf.template, default.conf.j2. */
    static boolean isNginxByPlace(SourceFile file) {
        String path = "/" + file.path().toLowerCase(Locale.ROOT);
        String name = file.name();
        return path.contains("/sites-enabled/")
                || path.contains("/sites-available/")
                || (name.contains(".conf.") && !name.endsWith(".md"))
                || (name.startsWith("nginx.") && (name.endsWith(".template") || name.endsWith(".tmpl")));
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

    /** All Terraform files. */
    public List<ConfigNode> terraform() {
        return terraform;
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
