package dev.why429.benchmarks;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Writes an nginx access log in combined form as a public site would have it: some 170 bytes a line, 60,000 clients of which few make most
 * requests, one in ten with an IPv6 address, six hours. A limiter of 120 requests a minute for each client answers 429. Of 10,000 lines one is
 * cut off, one is of the error log, one is empty, and seven are bytes of a TLS handshake sent to a plain port. The same seed gives the same file.
 */
public final class CombinedLog {
    private static final int CLIENTS = 60_000;
    private static final int PATHS = 4000;
    private static final int LIMIT_PER_MINUTE = 120;
    private static final long SECONDS = 6 * 3600;
    private static final Instant START = Instant.parse("2026-03-10T00:00:00Z");
    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);
    private static final String[] WORDS = {
        "users", "orders", "items", "search", "login", "cart", "checkout", "v1", "v2", "api", "static", "img", "graphql"
    };
    private static final String[] METHODS = {"GET", "GET", "GET", "GET", "GET", "POST", "POST", "PUT", "DELETE", "HEAD"
    };
    private static final int[] STATUSES = {
        200, 200, 200, 200, 200, 200, 200, 201, 204, 301, 304, 304, 400, 403, 404, 500, 502
    };
    private static final String[] AGENTS = {
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/%d.0.0.0 Safari/537.36",
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/%d.1 Safari/605.1.15",
        "Mozilla/5.0 (X11; Linux x86_64; rv:%d.0) Gecko/20100101 Firefox/%d.0",
        "curl/7.%d.0",
        "python-requests/2.%d.0",
        "Go-http-client/1.1",
        "okhttp/4.%d.0",
        "-"
    };

    private final SplittableRandom random;
    private final String[] addresses = new String[CLIENTS];
    private final String[] agents = new String[CLIENTS];
    private final int[] minutes = new int[CLIENTS];
    private final int[] counts = new int[CLIENTS];
    private final String[] paths = new String[PATHS];

    private CombinedLog(long seed) {
        random = new SplittableRandom(seed);
        for (int i = 0; i < CLIENTS; i++) {
            addresses[i] = random.nextInt(10) == 0 ? v6() : v4();
            agents[i] = AGENTS[random.nextInt(AGENTS.length)].replace("%d", Integer.toString(60 + random.nextInt(70)));
            minutes[i] = -1;
        }
        for (int i = 0; i < PATHS; i++) {
            paths[i] = path();
        }
    }

    /** Arguments: file, lines, seed. */
    public static void main(String[] arguments) throws IOException {
        write(Path.of(arguments[0]), Integer.parseInt(arguments[1]), Long.parseLong(arguments[2]));
    }

    static void write(Path file, int lines, long seed) throws IOException {
        CombinedLog log = new CombinedLog(seed);
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20)) {
            StringBuilder line = new StringBuilder(512);
            long second = -1;
            String stamp = "";
            for (int i = 0; i < lines; i++) {
                long now = SECONDS * i / lines;
                if (now != second) {
                    second = now;
                    stamp = STAMP.format(START.plusSeconds(now));
                }
                line.setLength(0);
                log.append(line, now, stamp);
                out.write(line.append('\n').toString().getBytes(StandardCharsets.ISO_8859_1));
            }
        }
    }

    private void append(StringBuilder line, long second, String stamp) {
        int client = (int) (CLIENTS * Math.pow(random.nextDouble(), 6));
        int kind = random.nextInt(10_000);
        switch (kind) {
            case 0 ->
                line.append(addresses[client]).append(" - - [").append(stamp).append("] \"GET /cut");
            case 1 ->
                line.append("2026/03/10 00:00:00 [error] 31#31: *1 limiting requests, excess: 20.1 by zone \"api\"");
            case 2 -> line.setLength(0);
            default -> request(line, client, second, stamp, kind < 10);
        }
    }

    private void request(StringBuilder line, int client, long second, String stamp, boolean handshake) {
        int status = handshake ? 400 : status(client, (int) (second / 60));
        String user = random.nextInt(30) == 0 ? "alice" : "-";
        line.append(addresses[client])
                .append(" - ")
                .append(user)
                .append(" [")
                .append(stamp)
                .append("] \"");
        if (handshake) {
            line.append("\\x16\\x03\\x01\\x02\\x00\\x01");
        } else {
            String path = paths[(int) (PATHS * random.nextDouble() * random.nextDouble())];
            line.append(METHODS[random.nextInt(METHODS.length)])
                    .append(' ')
                    .append(path)
                    .append(" HTTP/1.1");
        }
        int bytes = status == 304 || status == 204 ? 0 : status == 429 ? 169 : 150 + random.nextInt(40_000);
        String referer = random.nextInt(8) == 0 ? "https://shop.example.com/" : "-";
        line.append("\" ")
                .append(status)
                .append(' ')
                .append(bytes)
                .append(" \"")
                .append(referer);
        line.append("\" \"").append(agents[client]).append('"');
    }

    private int status(int client, int minute) {
        if (minutes[client] != minute) {
            minutes[client] = minute;
            counts[client] = 0;
        }
        return ++counts[client] > LIMIT_PER_MINUTE ? 429 : STATUSES[random.nextInt(STATUSES.length)];
    }

    private String v4() {
        return (1 + random.nextInt(223)) + "." + random.nextInt(256) + "." + random.nextInt(256) + "."
                + random.nextInt(256);
    }

    private String v6() {
        return "2001:db8:" + Integer.toHexString(random.nextInt(65536)) + ":"
                + Integer.toHexString(random.nextInt(65536)) + "::" + Integer.toHexString(1 + random.nextInt(65535));
    }

    private String path() {
        StringBuilder path = new StringBuilder();
        int parts = 1 + random.nextInt(4);
        for (int i = 0; i < parts; i++) {
            path.append('/').append(WORDS[random.nextInt(WORDS.length)]);
        }
        if (random.nextBoolean()) {
            path.append('/').append(random.nextInt(100_000));
        }
        if (random.nextInt(3) == 0) {
            String query = Long.toString(random.nextLong() >>> 20, 36);
            path.append("?q=").append(query).append("&page=").append(random.nextInt(50));
        }
        return path.toString();
    }
}
