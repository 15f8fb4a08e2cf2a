package dev.why429.analyzers.audit.fact;

import dev.why429.analyzers.audit.Place;
import dev.why429.analyzers.audit.read.ConfigNode;
import dev.why429.analyzers.audit.read.NginxReader.Directive;
import dev.why429.analyzers.audit.read.SourceFile;
import dev.why429.analyzers.audit.read.Sources;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the surroundings out of manifests, compose files, start scripts and lists of dependencies. */
public final class SurroundingsReader {
    private static final Set<String> WORKLOADS = Set.of("Deployment", "StatefulSet", "ReplicaSet", "Rollout");
    /** Parts of a chart's values that are a gateway of their own. */
    private static final List<String> GATEWAYS =
            List.of("controller", "ingress-nginx", "nginx", "kong", "apisix", "traefik", "envoy", "gateway", "proxy");

    private static final Pattern NPM_LOCK = Pattern.compile(
            "\"node_modules/((?:@[\\w.-]{1,60}/)?[\\w.-]{1,80})\":\\s{0,9}\\{\\s{0,9}\"version\":\\s{0,3}\"(\\d[\\w.+-]{0,40})\"");
    private static final Pattern YARN_LOCK = Pattern.compile(
            "(?m)^\"?((?:@[\\w.-]{1,60}/)?[\\w.-]{1,80})@[^\\n]{1,200}:\\n\\s{1,4}version:?\\s\"?(\\d[\\w.+-]{0,40})");
    private static final Pattern PNPM_LOCK = Pattern.compile(
            "(?m)^\\s{2,4}'?/?((?:@[\\w.-]{1,60}/)?[\\w.-]{1,80})@(\\d[\\w.+-]{0,40})(?:\\([^\\n]{0,200})?'?:");
    private static final Map<String, String> TERRAFORM_EDGES = Map.of(
            "aws_cloudfront_distribution", "CloudFront",
            "aws_lb", "an application load balancer",
            "aws_alb", "an application load balancer",
            "google_compute_url_map", "a Google load balancer",
            "azurerm_frontdoor", "Azure Front Door",
            "azurerm_cdn_frontdoor_profile", "Azure Front Door",
            "azurerm_application_gateway", "Azure Application Gateway",
            "fastly_service_vcl", "Fastly");

    private static final List<String> PROXY_IMAGES =
            List.of("nginx", "traefik", "haproxy", "caddy", "envoyproxy", "openresty", "kong");
    // --workers=4, --workers 4, -w 4; -w1
    private static final Pattern WORKER_OPTION =
            Pattern.compile("(?:--workers[= ]|--processes[= ]|\\s-w ?|\\s-p )\\s*(\\d{1,4})");
    private static final Pattern PUMA_WORKERS = Pattern.compile("^\\s*workers\\s+(\\d{1,4})\\b", Pattern.MULTILINE);
    private static final Pattern GUNICORN_WORKERS =
            Pattern.compile("^\\s*workers\\s*=\\s*(\\d{1,4})\\b", Pattern.MULTILINE);
    private static final Pattern PM2_OPTION = Pattern.compile("pm2(?:-runtime)?\\s[^\\n]*-i\\s+(max|\\d{1,3})");
    private static final Pattern PM2_INSTANCES = Pattern.compile("instances[\"']?\\s*:\\s*[\"']?(max|-?\\d{1,3})");

    private final Surroundings found = new Surroundings();
    private final Sources sources;

    private SurroundingsReader(Sources sources) {
        this.sources = sources;
    }

    public static Surroundings read(Sources sources) {
        SurroundingsReader reader = new SurroundingsReader(sources);
        for (Sources.Config config : sources.configs()) {
            for (ConfigNode document : config.documents()) {
                reader.document(config.file(), document);
            }
        }
        reader.autoscalers();
        for (Sources.Blocks blocks : sources.nginx()) {
            blocks.directives().forEach(d -> d.walk(reader::nginx));
        }
        sources.files().values().forEach(reader::starter);
        sources.files().values().forEach(reader::lock);
        sources.ending(".tf").forEach(reader::terraform);
        return reader.found;
    }

    private void document(SourceFile file, ConfigNode document) {
        String kind = document.string("kind");
        if (file.name().equals("package.json")) {
            dependencies(document);
            starterText(file, document.string("scripts", "start"), document.get("scripts", "start"));
        } else if (WORKLOADS.contains(kind)) {
            workload(document, kind);
        } else if (kind.equals("Ingress")) {
            ingress(document);
        } else if (kind.equals("HTTPRoute") || kind.equals("VirtualService") || kind.equals("IngressRoute")) {
            proxy(Proxy.Kind.INGRESS, "a " + kind, serviceNames(document), kindPlace(document));
        } else if (kind.equals("List")) {
            document.get("items").ifPresent(items -> items.items().forEach(item -> document(file, item)));
        } else if (document.get("services").filter(s -> !s.entries().isEmpty()).isPresent()
                && document.entry("_format_version").isEmpty()) {
            compose(document.get("services").orElseThrow());
        } else if (file.name().startsWith("values")) {
            helmValues(document, "");
            for (ConfigNode.Entry part : document.entries()) {
                if (GATEWAYS.stream().anyMatch(part.key().toLowerCase(Locale.ROOT)::contains)) {
                    String inside =
                            part.value().get("controller").isPresent() ? part.key() + "-controller" : part.key();
                    part.value().get("controller").ifPresent(c -> helmValues(c, inside));
                    helmValues(part.value(), part.key());
                }
            }
        }
    }

    private void workload(ConfigNode document, String kind) {
        String name = document.string("metadata", "name");
        found.workloads.add(name);
        Optional<ConfigNode> replicas = document.get("spec", "replicas");
        replicas.ifPresent(node -> node.number()
                .ifPresent(n -> found.instances.add(new Instances(
                        Instances.Kind.POD,
                        name,
                        (int) n,
                        (int) n,
                        kind + " " + name + " replicas: " + (int) n,
                        node.place()))));
        document.get("spec", "template", "spec", "containers")
                .ifPresent(list -> list.items().forEach(container -> {
                    for (String key : List.of("command", "args")) {
                        container.get(key).ifPresent(words -> {
                            String line = " "
                                    + String.join(
                                            " ",
                                            words.items().stream()
                                                    .map(ConfigNode::text)
                                                    .toList()) + words.text();
                            processes(line, words.place());
                        });
                    }
                }));
    }

    private void autoscalers() {
        for (ConfigNode document : sources.documents()) {
            if (document.is("horizontalpodautoscaler", "kind") || document.is("scaledobject", "kind")) {
                String target = document.string("spec", "scaleTargetRef", "name");
                document.get("spec")
                        .flatMap(s -> s.either("maxReplicas", "maxReplicaCount"))
                        .ifPresent(max -> {
                            int most = (int) max.value().number().orElse(1);
                            int least =
                                    (int) document.number("spec", "minReplicas").orElse(1);
                            found.instances.add(new Instances(
                                    Instances.Kind.POD, target, least, most, "autoscaled up to " + most, max.place()));
                        });
            }
        }
    }

    private void ingress(ConfigNode document) {
        proxy(Proxy.Kind.INGRESS, "an Ingress", serviceNames(document), kindPlace(document));
        cdnAnnotation(document);
    }

    private static Place kindPlace(ConfigNode document) {
        return document.entry("kind").map(ConfigNode.Entry::place).orElse(document.place());
    }

    private static List<String> serviceNames(ConfigNode document) {
        List<String> names = new ArrayList<>();
        document.walkEntries((map, entry) -> {
            if (entry.key().equals("service")
                    || entry.key().equals("backendRefs")
                    || entry.key().equals("services")) {
                entry.value().walk(node -> {
                    String name = node.string("name");
                    if (!name.isEmpty() && !names.contains(name)) {
                        names.add(name);
                    }
                });
            }
            if (entry.key().equals("serviceName")
                    && !names.contains(entry.value().text())) {
                names.add(entry.value().text());
            }
        });
        return names;
    }

    private void compose(ConfigNode services) {
        Optional<ConfigNode.Entry> proxy = services.entries().stream()
                .filter(service -> isProxyImage(service.value().string("image"))
                        && service.value().get("ports").isPresent())
                .findFirst();
        List<String> behind = new ArrayList<>();
        for (ConfigNode.Entry service : services.entries()) {
            ConfigNode value = service.value();
            boolean application = !isProxyImage(value.string("image")) && !isStore(value.string("image"));
            if (application) {
                found.workloads.add(service.key());
                if (value.get("ports").isEmpty()) {
                    behind.add(service.key());
                }
            }
            value.get("deploy", "replicas")
                    .or(() -> value.get("scale"))
                    .ifPresent(node -> node.number()
                            .ifPresent(n -> found.instances.add(new Instances(
                                    Instances.Kind.POD,
                                    service.key(),
                                    (int) n,
                                    (int) n,
                                    "service " + service.key() + " with " + (int) n + " replicas",
                                    node.place()))));
            value.get("command").ifPresent(command -> {
                String words = command.text()
                        + String.join(
                                " ",
                                command.items().stream().map(ConfigNode::text).toList());
                processes(" " + words, command.place());
            });
        }
        services.entries().stream()
                .filter(s -> proxy.isPresent()
                        && !s.equals(proxy.get())
                        && isProxyImage(s.value().string("image")))
                .filter(s -> s.value().get("ports").isEmpty())
                .forEach(s -> proxy(
                        Proxy.Kind.INGRESS,
                        "the proxy \"" + proxy.get().key() + "\"",
                        List.of(s.key()),
                        proxy.get().place()));
        proxy.filter(p -> !behind.isEmpty())
                .ifPresent(p -> proxy(Proxy.Kind.REVERSE_PROXY, "the proxy \"" + p.key() + "\"", behind, p.place()));
    }

    private static boolean isProxyImage(String image) {
        String lower = image.toLowerCase(Locale.ROOT);
        return PROXY_IMAGES.stream().anyMatch(lower::contains);
    }

    private static boolean isStore(String image) {
        String lower = image.toLowerCase(Locale.ROOT);
        return List.of("redis", "valkey", "postgres", "mysql", "mariadb", "mongo", "memcached", "rabbitmq").stream()
                .anyMatch(lower::contains);
    }

    private void helmValues(ConfigNode document, String workload) {
        boolean scales = document.is("true", "autoscaling", "enabled");
        Optional<ConfigNode.Entry> most = document.get("autoscaling").flatMap(a -> a.entry("maxReplicas"));
        if (scales && most.isPresent()) {
            int n = (int) most.get().value().number().orElse(1);
            int least = (int) document.number("autoscaling", "minReplicas").orElse(1);
            found.instances.add(new Instances(
                    Instances.Kind.POD,
                    workload,
                    least,
                    n,
                    "autoscaled up to " + n,
                    most.get().place()));
        } else {
            document.either("replicaCount", "replicas")
                    .ifPresent(entry -> entry.value()
                            .number()
                            .ifPresent(n -> found.instances.add(new Instances(
                                    Instances.Kind.POD,
                                    workload,
                                    (int) n,
                                    (int) n,
                                    entry.key() + ": " + (int) n,
                                    entry.place()))));
        }
    }

    private void nginx(Directive directive) {
        boolean passes =
                directive.name().equals("proxy_pass") && directive.word(0).startsWith("http");
        if (passes) {
            proxy(Proxy.Kind.REVERSE_PROXY, "nginx (proxy_pass)", List.of(), directive.place());
        }
    }

    private void starter(SourceFile file) {
        String name = file.name();
        String text = file.text();
        if (file.forTests() || text.length() > 100_000) {
            return;
        }
        boolean vercel = name.equals("vercel.json");
        boolean worker = name.startsWith("wrangler.")
                && (name.endsWith("toml") || name.endsWith("json") || name.endsWith("jsonc"));
        boolean functions = name.equals("netlify.toml") && text.contains("functions");
        boolean lambda = name.startsWith("serverless.y") && text.contains("functions:");
        if (vercel || worker || functions || lambda) {
            found.instances.add(new Instances(
                    Instances.Kind.SERVERLESS,
                    "",
                    1,
                    2,
                    "functions run in as many instances as there are calls at a time",
                    file.at(1, 1)));
        }
        if (name.endsWith(".sh")
                || name.startsWith("dockerfile")
                || name.equals("procfile")
                || name.endsWith(".service")) {
            int offset = 0;
            for (String line : text.split("\n", -1)) {
                if (!line.strip().startsWith("#")) {
                    processes(line.replace("\", \"", " ").replace("\",\"", " ").replace('"', ' '), file.at(offset));
                }
                offset += line.length() + 1;
            }
        } else if (name.equals("puma.rb")) {
            workers(PUMA_WORKERS.matcher(text), file, "puma workers");
        } else if (name.contains("gunicorn") && name.endsWith(".py")) {
            workers(GUNICORN_WORKERS.matcher(text), file, "gunicorn workers");
        } else if (name.startsWith("ecosystem.config") || name.startsWith("pm2")) {
            workers(PM2_INSTANCES.matcher(text), file, "pm2 instances");
        } else if ((name.endsWith(".js") || name.endsWith(".ts")) && text.contains("cluster.fork(")) {
            Place place = file.at(text.indexOf("cluster.fork("));
            found.instances.add(new Instances(Instances.Kind.PROCESS, "", 2, 2, "cluster.fork()", place));
        }
    }

    private void starterText(SourceFile file, String text, Optional<ConfigNode> node) {
        node.ifPresent(n -> processes(" " + text, n.place()));
        if (node.isEmpty()) {
            processes("", file.at(1, 1));
        }
    }

    private void processes(String line, Place place) {
        boolean starts = line.contains("gunicorn")
                || line.contains("uvicorn")
                || line.contains("hypercorn")
                || line.contains("uwsgi")
                || line.contains("puma")
                || line.contains("granian");
        if (starts) {
            Matcher option = WORKER_OPTION.matcher(line);
            if (option.find()) {
                process(Integer.parseInt(option.group(1)), option.group().strip(), place);
            }
        }
        Matcher pm2 = PM2_OPTION.matcher(line);
        if (pm2.find()) {
            process(pm2.group(1).equals("max") ? 2 : Integer.parseInt(pm2.group(1)), "pm2 -i " + pm2.group(1), place);
        }
    }

    private void process(int count, String what, Place place) {
        found.instances.add(new Instances(Instances.Kind.PROCESS, "", count, count, what, place));
    }

    private void workers(Matcher matcher, SourceFile file, String what) {
        if (matcher.find()) {
            String number = matcher.group(1);
            boolean all =
                    number.equals("max") || (number.equals("0") && what.startsWith("pm2")) || number.startsWith("-");
            int count = all ? 2 : Integer.parseInt(number);
            process(count, what + ": " + number, file.at(matcher.start(1)));
        }
    }

    private void terraform(SourceFile file) {
        for (Map.Entry<String, String> edge : TERRAFORM_EDGES.entrySet()) {
            int at = file.text().indexOf("resource \"" + edge.getKey() + "\"");
            if (at >= 0) {
                boolean balancer =
                        !edge.getValue().contains("Front") && !edge.getKey().startsWith("fastly");
                boolean network = balancer && file.text().contains("\"network\"");
                if (!network) {
                    proxy(balancer ? Proxy.Kind.INGRESS : Proxy.Kind.CDN, edge.getValue(), List.of(), file.at(at));
                }
            }
        }
    }

    private void dependencies(ConfigNode document) {
        for (String key : List.of("dependencies", "devDependencies")) {
            document.get(key)
                    .ifPresent(map -> map.entries()
                            .forEach(entry -> found.dependencies.put(
                                    entry.key(),
                                    new Surroundings.Dependency(
                                            entry.key(), entry.value().text(), entry.place()))));
        }
    }

    /** Versions that are installed in fact win over ranges that are wished for. */
    private void lock(SourceFile file) {
        Pattern version;
        switch (file.name()) {
            case "package-lock.json" -> version = NPM_LOCK;
            case "yarn.lock" -> version = YARN_LOCK;
            case "pnpm-lock.yaml" -> version = PNPM_LOCK;
            default -> {
                return;
            }
        }
        Matcher locked = version.matcher(file.text());
        while (locked.find()) {
            if (found.dependencies.containsKey(locked.group(1))) {
                found.dependencies.put(
                        locked.group(1),
                        new Surroundings.Dependency(locked.group(1), locked.group(2), file.at(locked.start(2))));
            }
        }
    }

    private void proxy(Proxy.Kind kind, String what, List<String> serves, Place place) {
        found.proxies.add(new Proxy(kind, what, List.copyOf(serves), place));
    }

    /** {@code cloudflare-proxied: "true"}: the name leads to the CDN, not to the Ingress. */
    private void cdnAnnotation(ConfigNode document) {
        document.get("metadata", "annotations")
                .ifPresent(annotations -> annotations.entries().stream()
                        .filter(e -> e.key().contains("cloudflare-proxied")
                                && e.value().text().equals("true"))
                        .forEach(e -> proxy(Proxy.Kind.CDN, "Cloudflare", List.of(), e.place())));
    }

    static OptionalDouble first(OptionalDouble a, OptionalDouble b) {
        return a.isPresent() ? a : b;
    }
}
