package dev.why429.analyzers.attribute;

import dev.why429.analyzers.casefile.Case;
import dev.why429.analyzers.join.Join;
import dev.why429.analyzers.join.LogFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** What the logs do not show, and the one field or log that would. */
final class BlindSpots {
    private final Join.Result joined;
    private final List<Signature> signatures;

    BlindSpots(Join.Result joined, List<Signature> signatures) {
        this.joined = joined;
        this.signatures = signatures;
    }

    /** @param dryRuns told after what denials cannot tell */
    List<Case.BlindSpot> find(List<Case.BlindSpot> dryRuns) {
        List<Case.BlindSpot> found = new ArrayList<>();
        Set<String> layers = joined.files().stream().map(LogFile::layer).collect(Collectors.toSet());
        if (!signatures.isEmpty()) {
            if (!layers.contains("app")) {
                found.add(new Case.BlindSpot(
                        "the application has no log here: what a gateway passed on was denied at or below the application",
                        "the application's access log"));
            }
            if (!layers.contains("gateway") && !layers.contains("cdn")) {
                found.add(new Case.BlindSpot(
                        "no gateway or CDN has a log here: what they denied themselves is not counted",
                        "the access log of the gateway in front"));
            }
        }
        for (LogFile file : joined.files()) {
            boolean outer = file.layer().equals("gateway") || file.layer().equals("cdn");
            boolean unsure = signatures.stream()
                    .anyMatch(s -> s.file() == file.file()
                            && (s.role() == Role.UNKNOWN_ORIGIN || s.role() == Role.UNSEEN_BELOW_IN_A_SPARSE_LOG));
            if (outer && unsure && !file.component().toLowerCase(Locale.ROOT).contains("haproxy")) {
                found.add(new Case.BlindSpot(
                        "F" + file.file()
                                + " does not say what the next hop answered, so a denial made there cannot be told"
                                + " from one that was passed on",
                        upstreamField(file)));
            }
        }
        joined.unjoined()
                .forEach(file -> found.add(new Case.BlindSpot(
                        "no line of F" + file + " could be matched to the log in front of it",
                        "one request id in both logs")));
        found.addAll(dryRuns);
        return found;
    }

    private static String upstreamField(LogFile file) {
        String server = file.component().toLowerCase(Locale.ROOT);
        if (server.contains("nginx")) {
            return "$upstream_status";
        }
        if (server.contains("varnish")) {
            return "%{Varnish:handling}x";
        }
        if (server.contains("apache") || server.contains("httpd")) {
            return "%{X-Request-Id}o, or the balancer's worker in the log";
        }
        return "the status that the next hop answered";
    }
}
