package dev.why429.analyzers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A case folder in the making: written beside its place under a name of its own and moved there when it is whole, so that a run that is
 * killed leaves either the old case or none. What is not moved is removed at the end, at an interrupt too.
 */
public final class CaseFolder implements AutoCloseable {
    /** A folder that holds one of these is a case. */
    private static final List<String> MARKS = List.of("case.json", "case.duckdb");

    private static final String OLDER = ".old";

    private final Path place;
    private final Path work;
    private final Thread removal;

    private CaseFolder(Path place, Path work) {
        this.place = place;
        this.work = work;
        this.removal = new Thread(this::removeWork, "why429-remove-partial-case");
    }

    /**
     * Begins a case.
     *
     * @param place where the case will lie
     * @param force whether a case that lies there may be replaced; a folder that is no case is never replaced
     * @throws CannotWrite when the place is taken or cannot be written
     */
    public static CaseFolder begin(Path place, boolean force) {
        Path target = place.toAbsolutePath().normalize();
        try {
            Path parent = target.getParent();
            if (parent == null) {
                throw new CannotWrite("\"" + place + "\" cannot be a case folder; give a folder of its own with -o");
            }
            Files.createDirectories(parent);
            clearAfterDeadRuns(parent, target);
            refuseIfTaken(target, place, force);
            Path work = Files.createTempDirectory(
                    parent, partialPrefix(target) + ProcessHandle.current().pid() + "-");
            CaseFolder folder = new CaseFolder(target, work);
            Runtime.getRuntime().addShutdownHook(folder.removal);
            return folder;
        } catch (IOException e) {
            throw new CannotWrite("the case folder \"" + place + "\" cannot be written (" + reason(e)
                    + "); choose another place with -o");
        }
    }

    private static String partialPrefix(Path target) {
        return "." + target.getFileName() + ".partial-";
    }

    /**
     * A run that was killed outright could neither finish nor clean up. What it left is named after its process: when that is gone, an older
     * case that it had moved aside goes back to its place, and the rest is removed.
     */
    private static void clearAfterDeadRuns(Path parent, Path target) throws IOException {
        List<Path> left;
        try (Stream<Path> all = Files.list(parent)) {
            left = all.filter(path -> path.getFileName().toString().startsWith(partialPrefix(target)))
                    .filter(path -> !writerLives(path.getFileName()
                            .toString()
                            .substring(partialPrefix(target).length())))
                    .sorted()
                    .toList();
        }
        for (Path path : left) {
            if (path.getFileName().toString().endsWith(OLDER) && isCase(path) && !Files.exists(target)) {
                Files.move(path, target, StandardCopyOption.ATOMIC_MOVE);
            } else {
                remove(path);
            }
        }
    }

    /** @param name what follows the prefix: the process, a hyphen, and more */
    private static boolean writerLives(String name) {
        int hyphen = name.indexOf('-');
        try {
            return hyphen < 0
                    || ProcessHandle.of(Long.parseLong(name.substring(0, hyphen)))
                            .map(ProcessHandle::isAlive)
                            .orElse(false);
        } catch (NumberFormatException e) {
            // not named by us: not ours to remove
            return true;
        }
    }

    private static void refuseIfTaken(Path target, Path asGiven, boolean force) {
        if (!Files.exists(target)) {
            return;
        }
        if (!Files.isDirectory(target)) {
            throw new CannotWrite("\"" + asGiven + "\" is a file; a case is a folder: choose another place with -o");
        }
        if (isCase(target)) {
            if (!force) {
                throw new CannotWrite("\"" + asGiven
                        + "\" holds a case already; replace it with --force or choose another place with -o");
            }
            return;
        }
        try (Stream<Path> content = Files.list(target)) {
            if (content.findAny().isPresent()) {
                throw new CannotWrite("\"" + asGiven + "\" is not empty and no case; choose another place with -o");
            }
        } catch (IOException e) {
            throw new CannotWrite("\"" + asGiven + "\" cannot be read (" + reason(e) + ")");
        }
    }

    /** Whether a folder holds a case. */
    public static boolean isCase(Path folder) {
        return MARKS.stream().anyMatch(mark -> Files.isRegularFile(folder.resolve(mark)));
    }

    /** Where to write until the case is whole. */
    public Path work() {
        return work;
    }

    /** Where the case will lie. */
    public Path place() {
        return place;
    }

    /** Puts the finished case in its place; an older one there is removed only after that. */
    public void moveIntoPlace() {
        try {
            Files.setPosixFilePermissions(work, PosixFilePermissions.fromString("rwxr-xr-x"));
        } catch (UnsupportedOperationException | IOException e) {
            // a file system without such permissions keeps its own
        }
        try {
            Path older = work.resolveSibling(work.getFileName() + OLDER);
            boolean replaces = Files.exists(place);
            if (replaces) {
                Files.move(place, older, StandardCopyOption.ATOMIC_MOVE);
            }
            Files.move(work, place, StandardCopyOption.ATOMIC_MOVE);
            if (replaces) {
                remove(older);
            }
        } catch (IOException e) {
            throw new CannotWrite("the finished case cannot be moved to \"" + place + "\" (" + reason(e) + ")");
        }
    }

    @Override
    public void close() {
        removeWork();
        try {
            Runtime.getRuntime().removeShutdownHook(removal);
        } catch (IllegalStateException e) {
            // the machine is going down and runs the hook itself
        }
    }

    private void removeWork() {
        if (Files.exists(work)) {
            remove(work);
        }
    }

    private static void remove(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (NoSuchFileException | DirectoryNotEmptyException e) {
            // somebody else removes or fills it at the same time: theirs to finish
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove \"" + folder + "\"", e);
        }
    }

    private static String reason(IOException e) {
        return e.getClass().getSimpleName().replace("Exception", "") + ": " + e.getMessage();
    }

    /** The case folder cannot be written; the message says why and what to do. */
    public static final class CannotWrite extends RuntimeException {
        CannotWrite(String message) {
            super(message);
        }
    }
}
