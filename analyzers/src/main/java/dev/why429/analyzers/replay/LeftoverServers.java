package dev.why429.analyzers.replay;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What earlier runs left behind, when they and their watching shell were killed: a server without parent, and its folder. */
final class LeftoverServers {
    private LeftoverServers() {}

    /** Ends servers whose watching shell is gone and removes their folders. Touches only folders of this user with this prefix. */
    static void remove(Path temporary, String prefix) {
        try (Stream<Path> folders = Files.list(temporary)) {
            for (Path folder : folders.filter(f -> f.getFileName().toString().startsWith(prefix))
                    .filter(f -> Files.isDirectory(f, LinkOption.NOFOLLOW_LINKS) && ours(f))
                    .toList()) {
                Optional<ProcessHandle> server = server(folder);
                if (server.isPresent() ? orphaned(server.get()) : abandoned(folder)) {
                    server.ifPresent(ProcessHandle::destroyForcibly);
                    removeFolder(folder);
                }
            }
        } catch (IOException e) {
            // tidying is no reason not to start
        }
    }

    private static boolean ours(Path folder) {
        try {
            return Files.getOwner(folder).equals(Files.getOwner(Path.of(System.getProperty("user.home"))));
        } catch (IOException e) {
            return false;
        }
    }

    /** The watching shell was its parent; a process whose parent died has process 1 (or a reaper that is no shell of ours). */
    private static boolean orphaned(ProcessHandle server) {
        return server.parent()
                .map(parent ->
                        parent.info().arguments().stream().flatMap(Stream::of).noneMatch("why429-redis"::equals))
                .orElse(true);
    }

    /** No server, and old enough not to be one that is just being set up. */
    private static boolean abandoned(Path folder) throws IOException {
        return Files.getLastModifiedTime(folder).toMillis() < System.currentTimeMillis() - 60_000;
    }

    /** The live process that a folder's pid file names, if it is the server started there and not a later one with the same number. */
    static Optional<ProcessHandle> server(Path folder) {
        try {
            String pid = Files.readString(folder.resolve("server.pid")).trim();
            return ProcessHandle.of(Long.parseLong(pid))
                    .filter(ProcessHandle::isAlive)
                    .filter(process -> mentions(process, folder));
        } catch (IOException | NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static boolean mentions(ProcessHandle process, Path folder) {
        // redis rewrites its title to "redis-server 127.0.0.1:port"; the executable stays
        String command = process.info().command().orElse("");
        List<String> arguments = process.info().arguments().map(List::of).orElse(List.of());
        return command.startsWith(folder.toString())
                || command.endsWith("redis-server")
                || command.endsWith("valkey-server")
                || arguments.stream().anyMatch(argument -> argument.startsWith(folder.toString()));
    }

    static void removeFolder(Path folder) {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            // the shell removes it too
        }
    }
}
