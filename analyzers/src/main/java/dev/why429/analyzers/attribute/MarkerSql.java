package dev.why429.analyzers.attribute;

import dev.why429.analyzers.attribute.FingerprintSet.Probe;
import dev.why429.rules.Fingerprint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The markers as SQL, so that they are looked for in the tables and not row by row here. Patterns are the rules' own; DuckDB's regular expressions
 * are RE2 as well.
 */
final class MarkerSql {
    private static final Set<String> KEPT_ANYWAY = Set.of(
            "file",
            "line",
            "client_ip",
            "api_key",
            "duration_micros",
            "response_headers",
            "upstream_status",
            "upstream_addr",
            "status",
            "bytes",
            "response_body",
            "logged_message",
            "other_fields");

    private final FingerprintSet set;
    private final Map<Integer, String> serverByFile;

    /** @param serverByFile component and format of each log */
    MarkerSql(FingerprintSet set, Map<Integer, String> serverByFile) {
        this.set = set;
        this.serverByFile = new LinkedHashMap<>(serverByFile);
    }

    /** A condition upon {@code requests r}: the line bears a mark that says denial, whatever its status. */
    String deniesInLog() {
        String marks = set.probes().stream()
                .filter(probe -> probe.marker().denies() && probe.marker().place() == Fingerprint.Place.LOG)
                .filter(probe -> !files(probe).isEmpty())
                .map(probe -> "(" + column(probe, "r") + " AND " + fileIn(probe, "r.file") + ")")
                .distinct()
                .collect(Collectors.joining(" OR "));
        return marks.isEmpty() ? "FALSE" : "(r.status >= 400 AND (" + marks + "))";
    }

    /** The columns that log markers look at, beside the few that every denied line is kept with. */
    String logColumns(String line) {
        return set.probes().stream()
                .filter(probe -> probe.marker().place() == Fingerprint.Place.LOG)
                .map(probe -> probe.marker().name())
                .filter(name -> !KEPT_ANYWAY.contains(name))
                .collect(Collectors.toCollection(TreeSet::new))
                .stream()
                .map(name -> line + ".\"" + name + '"')
                .collect(Collectors.joining(", ", line + ".status, " + line + ".bytes, ", ""))
                .replaceAll(", $", "");
    }

    /** Header names of markers. */
    Set<String> headerNames() {
        return set.probes().stream()
                .filter(probe -> probe.marker().place() == Fingerprint.Place.HEADER)
                .map(probe -> probe.marker().name())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /**
     * The numbers of all markers that a line hits, as a list.
     *
     * @param line alias of the line: columns of requests, {@code notice_*} of the notice about it
     * @param headers names of the headers that occur, in the order of the list {@code h}
     * @param texts columns that hold bodies or messages, as far as any line has one
     */
    String hits(String line, List<String> headers, List<String> texts) {
        List<String> cases = new ArrayList<>();
        for (Probe probe : set.probes()) {
            Fingerprint.Marker marker = probe.marker();
            String condition = switch (marker.place()) {
                case LOG -> column(probe, line);
                case NOTICE -> matches(line + ".notice_" + marker.name(), probe);
                case HEADER -> header(probe, headers, line);
                case BODY ->
                    texts.stream()
                            .map(column -> matches(line + "." + column, probe))
                            .collect(
                                    Collectors.joining(" OR ", texts.isEmpty() ? "" : "(", texts.isEmpty() ? "" : ")"));
                case FACT -> "";
            };
            // a notice tells itself whose it is
            boolean logged = marker.place() == Fingerprint.Place.LOG;
            if (condition.isEmpty() || (logged && files(probe).isEmpty())) {
                continue;
            }
            cases.add("CASE WHEN " + condition + (logged ? " AND " + fileIn(probe, line + ".file") : "") + " THEN "
                    + probe.index() + " END");
        }
        return cases.isEmpty()
                ? "[]::INTEGER[]"
                : "list_filter([" + String.join(", ", cases) + "], lambda x: x IS NOT NULL)";
    }

    private static String header(Probe probe, List<String> headers, String line) {
        int place = headers.indexOf(probe.marker().name()) + 1;
        if (probe.marker().absent()) {
            return line + ".response_headers IS NOT NULL"
                    + (place == 0 ? "" : " AND " + line + ".h[" + place + "] IS NULL");
        }
        return place == 0 ? "" : matches(line + ".h[" + place + "]", probe);
    }

    private static String column(Probe probe, String line) {
        String column = line + ".\"" + probe.marker().name() + "\"";
        return probe.marker().absent() ? column + " IS NULL" : matches(column, probe);
    }

    private static String matches(String value, Probe probe) {
        return probe.marker()
                .pattern()
                .map(pattern -> "coalesce(regexp_matches(" + value + "::VARCHAR, " + quoted(pattern) + "), FALSE)")
                .orElse(value + " IS NOT NULL");
    }

    static String quoted(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    private List<Integer> files(Probe probe) {
        return serverByFile.entrySet().stream()
                .filter(entry -> FingerprintSet.speaksOf(probe.fingerprint(), entry.getValue()))
                .map(Map.Entry::getKey)
                .toList();
    }

    private String fileIn(Probe probe, String column) {
        List<Integer> files = files(probe);
        return files.size() == serverByFile.size()
                ? "TRUE"
                : column + " IN (" + files.stream().map(Object::toString).collect(Collectors.joining(",")) + ")";
    }
}
