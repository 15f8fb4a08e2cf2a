package dev.why429.analyzers.detect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.why429.analyzers.casefile.Case;
import dev.why429.analyzers.store.CaseStore;
import dev.why429.rules.Rulebook;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Ordinary days: load that rises and falls, a deploy, cron jobs, a crawler, health probes, browsers with preflights, a few errors, quota headers
 * that count down. Nothing is wrong in them, and nothing may be found. {@code -Dwhy429.benign=200} tries more days.
 */
class BenignLogsTest {
    private static final Rulebook RULEBOOK = Rulebook.with(List.of(Path.of("..", "rules")));
    private static final int DAYS = Integer.getInteger("why429.benign", 3);

    static LongStream days() {
        return LongStream.rangeClosed(1, DAYS);
    }

    @ParameterizedTest
    @MethodSource("days")
    void nothingIsFoundOnAnOrdinaryDay(long seed, @TempDir Path folder) {
        try (CaseStore store = Stage.play(folder, day(new Random(seed)), "")) {
            Case.Denials denials = new Case.Denials(0, Map.of(), Map.of(), List.of());
            Detections found = Detection.run(new DetectionInput(store, RULEBOOK, List.of(), denials, List.of()));
            assertThat(found.findings())
                    .filteredOn(finding -> finding.severity().equals("high")
                            || finding.severity().equals("medium"))
                    .as("seed " + seed)
                    .isEmpty();
            assertThat(found.skipped()).noneMatch(skipped -> skipped.reason().contains("defect"));
        }
    }

    private static String day(Random random) {
        List<String> rows = new ArrayList<>();
        int clients = 5 + random.nextInt(60);
        int limit = 50 + random.nextInt(200);
        boolean headers = random.nextBoolean();
        double length = 600 + random.nextInt(1200);
        int pods = 1 + random.nextInt(4);
        int[] counted = new int[clients];
        long[] window = new long[clients];
        double t = 0;
        double deployAt = length * random.nextDouble();
        while (t < length) {
            // the load rises and falls with the day
            double rate = 1.2 + Math.sin(Math.PI * t / length) * 1.5;
            t += -Math.log(1 - random.nextDouble()) / rate;
            int client = random.nextInt(clients);
            long now = (long) (t / 60);
            if (window[client] != now) {
                window[client] = now;
                counted[client] = 0;
            }
            counted[client]++;
            boolean deploying = Math.abs(t - deployAt) < 3;
            int status = deploying && random.nextInt(3) == 0 ? 503 : random.nextInt(60) == 0 ? 404 : 200;
            rows.add(row(
                    t,
                    "203.0.113." + client,
                    "agent/" + client % 7,
                    "/items/" + random.nextInt(40),
                    status,
                    "pod" + (1 + random.nextInt(pods)),
                    headers ? limit : -1,
                    limit - counted[client],
                    60 - t % 60));
        }
        cron(rows, random, length);
        crawler(rows, random, length);
        probes(rows, length);
        browser(rows, random, length);
        return "INSERT INTO traffic(t, client_ip, user_agent, path, method, status, node, took, limit_value, remaining, reset_seconds, window_seconds) VALUES\n"
                + String.join(",\n", rows);
    }

    private static void cron(List<String> rows, Random random, double length) {
        for (int minute = 0; minute * 60 < length; minute++) {
            for (int i = 0; i < 5 + random.nextInt(10); i++) {
                rows.add(row(
                        minute * 60 + i * 0.11 + random.nextDouble() * 0.02,
                        "198.51.100.9",
                        "cron/1",
                        "/report",
                        200,
                        "pod1",
                        -1,
                        0,
                        0));
            }
        }
    }

    private static void crawler(List<String> rows, Random random, double length) {
        double pace = 0.8 + random.nextDouble();
        for (int i = 0; i * pace < length / 2; i++) {
            rows.add(row(
                    i * pace + 7.3,
                    "192.0.2.50",
                    "Mozilla/5.0 (compatible; somebot/2.1)",
                    "/page/" + i + ".html",
                    200,
                    "pod1",
                    -1,
                    0,
                    0));
        }
    }

    private static void probes(List<String> rows, double length) {
        for (int i = 0; i * 10 < length; i++) {
            rows.add(row(i * 10 + 0.5, "10.42.0.1", "kube-probe/1.29", "/healthz", 200, "pod1", -1, 0, 0));
        }
    }

    private static void browser(List<String> rows, Random random, double length) {
        for (int page = 0; page < 8; page++) {
            double start = random.nextDouble() * length;
            for (int i = 0; i < 25; i++) {
                rows.add(row(
                        start + i * 0.004,
                        "203.0.113.200",
                        "Mozilla/5.0 (X11)",
                        "/static/chunk-" + i + ".js",
                        200,
                        "pod1",
                        -1,
                        0,
                        0));
            }
        }
    }

    private static String row(
            double t,
            String ip,
            String agent,
            String path,
            int status,
            String node,
            int limit,
            int left,
            double reset) {
        String quota = limit < 0
                ? "NULL, NULL, NULL, NULL"
                : String.format(Locale.ROOT, "%d, %d, %.0f, 60", limit, left, Math.ceil(reset));
        return String.format(
                Locale.ROOT,
                "(%.4f, '%s', '%s', '%s', 'GET', %d, '%s', 0.008, %s)",
                t,
                ip,
                agent,
                path,
                status,
                node,
                quota);
    }
}
