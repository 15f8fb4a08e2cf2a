package dev.why429.analyzers.join;

import dev.why429.analyzers.store.CaseStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The layer of a log of which neither the operator nor its format says one: whoever names a next hop is a gateway; whoever has the ids of an
 * application's log is in front of it; else the file's name, as people name logs: {@code edge.access.log}, {@code pod3.log}. What was guessed is
 * filled into {@code inputs}, where the layer was left open.
 */
record GuessedLayers(List<LogFile> files, List<String> sentences) {
    private static final String UNKNOWN = "unknown";

    private static final Map<String, Set<String>> WORDS = Map.of(
            "cdn", Set.of("cdn", "waf"),
            "gateway",
                    Set.of(
                            "edge",
                            "gateway",
                            "gw",
                            "lb",
                            "elb",
                            "alb",
                            "balancer",
                            "loadbalancer",
                            "ingress",
                            "proxy",
                            "nginx",
                            "haproxy",
                            "envoy",
                            "kong",
                            "traefik",
                            "apisix",
                            "tyk",
                            "httpd",
                            "apache",
                            "front"),
            "app",
                    Set.of(
                            "app",
                            "pod",
                            "backend",
                            "express",
                            "node",
                            "rails",
                            "django",
                            "flask",
                            "spring",
                            "gunicorn",
                            "uvicorn",
                            "puma",
                            "service",
                            "worker"));

    /** How many of the smaller log's ids the other must have. */
    private static final double SAME_REQUESTS = 0.5;

    static GuessedLayers fill(CaseStore store, List<LogFile> files) {
        if (files.stream().noneMatch(file -> file.layer().equals(UNKNOWN))) {
            return new GuessedLayers(files, List.of());
        }
        Map<Integer, String> names = new HashMap<>();
        store.forEach(
                "SELECT file, coalesce(path, '') AS path FROM inputs",
                row -> names.put((int) row.integer("file"), row.text("path")));
        List<LogFile> named = new ArrayList<>();
        for (LogFile file : files) {
            String layer = file.logsUpstream() ? "gateway" : byName(names.getOrDefault(file.file(), ""));
            named.add(file.layer().equals(UNKNOWN) ? file.withLayer(layer) : file);
        }
        List<LogFile> placed = named.stream()
                .map(file -> file.layer().equals(UNKNOWN) && standsInFrontOfAnApp(store, file, named)
                        ? file.withLayer("gateway")
                        : file)
                .toList();
        List<String> sentences = new ArrayList<>();
        for (int i = 0; i < files.size(); i++) {
            if (!placed.get(i).layer().equals(files.get(i).layer())) {
                sentences.add("\"" + names.get(files.get(i).file()) + "\" is taken as a log of the layer "
                        + placed.get(i).layer()
                        + (named.get(i).layer().equals(UNKNOWN)
                                ? ", since it has the request ids of an application's log"
                                : files.get(i).logsUpstream() ? ", since it names a next hop" : " by its name"));
                store.execute(
                        "UPDATE inputs SET layer = ? WHERE file = ?",
                        placed.get(i).layer(),
                        placed.get(i).file());
            }
        }
        return new GuessedLayers(placed, List.copyOf(sentences));
    }

    private static String byName(String path) {
        List<String> parts = Arrays.asList(path.split("[/\\\\]"));
        for (int back = 1; back <= Math.min(2, parts.size()); back++) {
            Optional<String> layer = byWords(parts.get(parts.size() - back));
            if (layer.isPresent()) {
                return layer.get();
            }
        }
        return UNKNOWN;
    }

    private static Optional<String> byWords(String name) {
        for (String word : name.toLowerCase(Locale.ROOT).split("[^a-z]+", -1)) {
            for (Map.Entry<String, Set<String>> layer : WORDS.entrySet()) {
                if (layer.getValue().contains(word)) {
                    return Optional.of(layer.getKey());
                }
            }
        }
        return Optional.empty();
    }

    private static boolean standsInFrontOfAnApp(CaseStore store, LogFile file, List<LogFile> files) {
        return file.idLike() > 0
                && files.stream()
                        .filter(other -> other.layer().equals("app") && other.idLike() > 0)
                        .anyMatch(app -> share(store, file, app) >= SAME_REQUESTS);
    }

    private static double share(CaseStore store, LogFile a, LogFile b) {
        long shared =
                store.query("""
                        SELECT count(*) AS n FROM (
                          SELECT DISTINCT request_id FROM requests WHERE file = ? AND request_id IS NOT NULL
                          INTERSECT SELECT request_id FROM requests WHERE file = ? AND request_id IS NOT NULL)""", row -> row.integer("n"), a.file(), b.file()).get(0);
        return (double) shared / Math.max(1, Math.min(a.idLike(), b.idLike()));
    }
}
