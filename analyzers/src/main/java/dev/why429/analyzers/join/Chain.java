package dev.why429.analyzers.join;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The order in which a request passes the logs: depth 0 is nearest the client. Layers are ordered by what they are; of several gateways one stands
 * behind another when it is asked by few addresses while the other is asked by many.
 */
final class Chain {
    /** Behind a proxy there are the proxy's own addresses only. */
    private static final int FEW_ADDRESSES = 8;

    private static final int MANY_TIMES = 4;

    private final Map<Integer, Integer> depthByFile;

    private Chain(Map<Integer, Integer> depthByFile) {
        this.depthByFile = depthByFile;
    }

    static Chain of(List<LogFile> files) {
        Map<Integer, Integer> rankByFile = new LinkedHashMap<>();
        files.forEach(file -> rankByFile.put(file.file(), 100 * rank(file)));
        Map<String, List<LogFile>> servers = new TreeMap<>();
        files.stream()
                .filter(file -> rank(file) == 1)
                .forEach(file -> servers.computeIfAbsent(file.server(), s -> new ArrayList<>())
                        .add(file));
        List<List<LogFile>> byBreadth = servers.values().stream()
                .sorted(Comparator.comparingLong((List<LogFile> s) -> -clients(s)))
                .toList();
        int behind = 0;
        for (int i = 1; i < byBreadth.size(); i++) {
            if (standsBehind(byBreadth.get(i), byBreadth.get(i - 1))) {
                behind++;
            }
            int step = behind;
            byBreadth.get(i).forEach(file -> rankByFile.merge(file.file(), step, Integer::sum));
        }
        List<Integer> ranks = rankByFile.values().stream().distinct().sorted().toList();
        Map<Integer, Integer> depths = new LinkedHashMap<>();
        rankByFile.forEach((file, rank) -> depths.put(file, ranks.indexOf(rank)));
        return new Chain(depths);
    }

    private static boolean standsBehind(List<LogFile> server, List<LogFile> front) {
        long few = clients(server);
        return few <= FEW_ADDRESSES && clients(front) >= MANY_TIMES * few;
    }

    private static long clients(List<LogFile> server) {
        return server.stream().mapToLong(LogFile::clients).max().orElse(0);
    }

    private static int rank(LogFile file) {
        return switch (file.layer()) {
            case "cdn" -> 0;
            case "gateway" -> 1;
            case "app" -> 2;
            case "third_party" -> 3;
            // whoever asks a next hop is no last hop
            default -> file.logsUpstream() ? 1 : 2;
        };
    }

    int depth(int file) {
        return depthByFile.get(file);
    }

    int depths() {
        return 1
                + depthByFile.values().stream()
                        .mapToInt(Integer::intValue)
                        .max()
                        .orElse(-1);
    }

    List<LogFile> at(int depth, List<LogFile> files) {
        return files.stream().filter(file -> depth(file.file()) == depth).toList();
    }
}
