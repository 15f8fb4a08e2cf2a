package dev.why429.analyzers.replay;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import redis.embedded.RedisExecProvider;

/**
 * A real Redis of this process alone: its own folder, a free loopback port, a random password, nothing written to disk. The server is the child
 * of a small shell that waits on a pipe from this process: when this process goes away, however it goes, the pipe closes, the shell ends the
 * server and removes the folder. So no server is left behind even by a killed JVM; what a killed shell leaves is removed at the next start.
 */
final class PrivateRedis implements AutoCloseable {
    /** Looks in a row, a hundredth of a second apart, that do not find the server before it is given up. */
    private static final int UNSEEN_AT_MOST = 50;

    private static final String PREFIX = "why429-redis-";
    private static final long START_MILLIS = 15_000;

    private final Path folder;
    private final Process watcher;
    private final Thread onExit;
    private final int port;
    private final String password;

    private PrivateRedis(Path folder, Process watcher, int port, String password) {
        this.folder = folder;
        this.watcher = watcher;
        this.port = port;
        this.password = password;
        this.onExit = new Thread(this::end, "why429-redis-stop");
        Runtime.getRuntime().addShutdownHook(onExit);
    }

    /** @throws RedisProblem when no server can be started */
    static PrivateRedis start() {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        LeftoverServers.remove(temporary, PREFIX);
        Path folder = null;
        try {
            folder = Files.createTempDirectory(
                    temporary,
                    PREFIX,
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            IOException last = null;
            for (int attempt = 0; attempt < 5; attempt++) {
                try {
                    // what an attempt before left, its watcher removed, the program too
                    Files.createDirectories(folder);
                    return start(folder, binary(folder));
                } catch (IOException e) {
                    last = e; // another process may have taken the port in between
                }
            }
            throw new RedisProblem(
                    "cannot start the embedded Redis: " + last.getMessage()
                            + "; give --redis redis://… or --redis none",
                    last);
        } catch (IOException | UnsupportedOperationException e) {
            throw new RedisProblem(
                    "cannot start the embedded Redis in \"" + temporary + "\": " + e.getMessage()
                            + "; give --redis redis://… or --redis none",
                    e);
        } catch (RedisProblem e) {
            if (folder != null) {
                LeftoverServers.removeFolder(folder);
            }
            throw e;
        }
    }

    private static PrivateRedis start(Path folder, String binary) throws IOException {
        int port = freePort();
        byte[] secret = new byte[16];
        new SecureRandom().nextBytes(secret);
        String password = HexFormat.of().formatHex(secret);
        Files.writeString(
                folder.resolve("redis.conf"),
                """
                bind 127.0.0.1
                port %d
                requirepass %s
                save ""
                appendonly no
                dir "%s"
                pidfile "%s"
                maxclients 64
                """.formatted(port, password, folder, folder.resolve("server.pid")),
                StandardCharsets.UTF_8);
        // the server's own standard input is not the pipe, so only the shell and this process hold it
        String script = "\"$1\" \"$2/redis.conf\" </dev/null >\"$2/log\" 2>&1 & server=$!;"
                + " echo \"$server\" > \"$2/server.pid\"; trap '' INT TERM HUP; read -r line;"
                + " kill -TERM \"$server\" 2>/dev/null; wait \"$server\"; rm -rf \"$2\"";
        Process watcher = new ProcessBuilder("/bin/sh", "-c", script, "why429-redis", binary, folder.toString())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        PrivateRedis redis = new PrivateRedis(folder, watcher, port, password);
        try {
            redis.waitUntilReady();
            return redis;
        } catch (IOException e) {
            String log = redis.logTail();
            redis.close();
            throw new IOException(e.getMessage() + (log.isEmpty() ? "" : " (it says: " + log + ")"), e);
        }
    }

    /** The server that comes with the library, copied into the folder; else an installed one. */
    private static String binary(Path folder) throws IOException {
        String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        String system = os.contains("linux") ? "linux" : os.contains("mac") ? "darwin" : "none";
        String machine = switch (System.getProperty("os.arch").toLowerCase(Locale.ROOT)) {
            case "amd64", "x86_64" -> "amd64";
            case "aarch64", "arm64" -> "arm64";
            case "x86", "i386", "i686" -> "386";
            default -> "none";
        };
        String name = "redis-server-" + RedisExecProvider.redisVersion + "-" + system + "-" + machine;
        try (InputStream in = RedisExecProvider.class.getClassLoader().getResourceAsStream(name)) {
            if (in != null) {
                Path copy = folder.resolve("redis-server");
                Files.copy(in, copy, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
                Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("r-x------"));
                return copy.toString();
            }
        }
        return installed()
                .orElseThrow(
                        () -> new RedisProblem(
                                "there is no embedded Redis for \"" + os
                                        + "\" and no redis-server or valkey-server on the PATH; give --redis redis://… or --redis none"));
    }

    private static Optional<String> installed() {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        for (String program : List.of("valkey-server", "redis-server")) {
            for (String folder : path.split(java.io.File.pathSeparator, -1)) {
                Path file = Path.of(folder).resolve(program);
                if (!folder.isEmpty() && Files.isExecutable(file)) {
                    return Optional.of(file.toString());
                }
            }
        }
        return Optional.empty();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))) {
            return socket.getLocalPort();
        }
    }

    private void waitUntilReady() throws IOException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(START_MILLIS);
        int unseen = 0;
        while (System.nanoTime() < end) {
            // between its birth and its first breath the server still looks like the shell, and its pid file is empty
            unseen = serverHandle().isEmpty() && Files.exists(folder.resolve("server.pid")) ? unseen + 1 : 0;
            if (unseen > UNSEEN_AT_MOST) {
                throw new IOException("the server ended at once");
            }
            if (answers()) {
                return;
            }
            try {
                Thread.sleep(10);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
        }
        throw new IOException("the server did not answer within " + START_MILLIS / 1000 + " s");
    }

    /** Whether the server at the port is ours: it knows the password. */
    private boolean answers() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port), 500);
            socket.setSoTimeout(1000);
            socket.getOutputStream().write(("AUTH " + password + "\r\n").getBytes(StandardCharsets.US_ASCII));
            byte[] answer = socket.getInputStream().readNBytes(3);
            return answer.length == 3 && answer[0] == '+' && answer[1] == 'O' && answer[2] == 'K';
        } catch (IOException e) {
            return false;
        }
    }

    /** The server's process, as its pid file names it, while it lives. */
    Optional<ProcessHandle> serverHandle() {
        return LeftoverServers.server(folder);
    }

    private String logTail() {
        try {
            List<String> lines = Files.readAllLines(folder.resolve("log"));
            return lines.isEmpty() ? "" : lines.get(lines.size() - 1);
        } catch (IOException e) {
            return "";
        }
    }

    Path folder() {
        return folder;
    }

    String uri() {
        return "redis://:" + password + "@127.0.0.1:" + port;
    }

    @Override
    public void close() {
        end();
        try {
            Runtime.getRuntime().removeShutdownHook(onExit);
        } catch (IllegalStateException e) {
            // the JVM is ending, and the hook runs or has run
        }
    }

    private synchronized void end() {
        try {
            watcher.getOutputStream().close();
            if (!watcher.waitFor(5, TimeUnit.SECONDS)) {
                serverHandle().ifPresent(ProcessHandle::destroyForcibly);
                watcher.destroyForcibly();
            }
        } catch (IOException e) {
            watcher.destroyForcibly();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        LeftoverServers.removeFolder(folder);
    }
}
