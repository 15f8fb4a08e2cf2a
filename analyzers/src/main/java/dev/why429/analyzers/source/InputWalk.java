package dev.why429.analyzers.source;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** From the command line's inputs to files: folders gone through, globs expanded, each file once. */
final class InputWalk {
    static final String STDIN = "-";

    private static final int MAX_DEPTH = 32;
    private static final int CASE_HEAD_BYTES = 4096;

    /** Named files may be pipes; what lies in a folder is read only when it is a plain file. */
    record FoundFile(String name, Path file, boolean named) {}

    private final Path workingFolder;
    private final Map<String, FoundFile> files = new TreeMap<>();
    private final Set<Path> seen = new HashSet<>();
    private final List<NotRead> notRead = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private boolean stdin;

    InputWalk(Path workingFolder) {
        this.workingFolder = workingFolder;
    }

    List<FoundFile> files() {
        return List.copyOf(files.values());
    }

    boolean stdin() {
        return stdin;
    }

    List<NotRead> notRead() {
        return notRead;
    }

    List<String> warnings() {
        return warnings;
    }

    void add(String input) {
        if (input.equals(STDIN)) {
            stdin = true;
            return;
        }
        Path path;
        try {
            path = workingFolder.resolve(input);
        } catch (java.nio.file.InvalidPathException e) {
            missing(input, "is no path: " + e.getReason());
            return;
        }
        if (Files.isDirectory(path)) {
            if (isCase(path)) {
                passOver(input);
            } else {
                walk(input, path);
            }
        } else if (Files.exists(path)) {
            found(input, path, true);
        } else if (Glob.hasWildcard(input)) {
            expand(input);
        } else {
            missing(input, "does not exist; give a file, a folder, a glob or - for standard input");
        }
    }

    private void missing(String input, String why) {
        notRead.add(new NotRead(input, "not found"));
        warnings.add("\"" + input + "\" " + why);
    }

    private void passOver(String name) {
        notRead.add(new NotRead(name, "a case folder"));
    }

    private void found(String name, Path file, boolean named) {
        try {
            if (seen.add(file.toRealPath())) {
                files.put(name, new FoundFile(name, file, named));
            }
        } catch (IOException e) {
            notRead.add(new NotRead(name, "cannot be read: " + e.getMessage()));
        }
    }

    private void expand(String input) {
        int before = files.size() + notRead.size();
        Glob glob;
        try {
            glob = Glob.of(input, workingFolder);
        } catch (IllegalArgumentException e) {
            missing(input, "is no glob: " + e.getMessage());
            return;
        }
        String fixed = Glob.fixedPart(input);
        Path start = workingFolder.resolve(fixed);
        if (Files.isDirectory(start)) {
            visit(fixed, start, glob);
        }
        if (files.size() + notRead.size() == before) {
            missing(input, "matches no file");
        }
    }

    private void walk(String name, Path folder) {
        visit(name.endsWith("/") ? name : name + "/", folder, null);
    }

    /** @param glob null: everything; else what matches, and everything in folders that match */
    private void visit(String prefix, Path start, Glob glob) {
        try {
            Files.walkFileTree(
                    start, EnumSet.of(FileVisitOption.FOLLOW_LINKS), MAX_DEPTH, new Visitor(prefix, start, glob));
        } catch (IOException e) {
            warnings.add("\"" + prefix + "\" cannot be gone through: " + e.getMessage());
        }
    }

    private final class Visitor extends SimpleFileVisitor<Path> {
        private final String prefix;
        private final Path start;
        private final Glob glob;

        Visitor(String prefix, Path start, Glob glob) {
            this.prefix = prefix;
            this.start = start;
            this.glob = glob;
        }

        private String nameOf(Path file) {
            return prefix + start.relativize(file);
        }

        @Override
        public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            if (folder.equals(start)) {
                return FileVisitResult.CONTINUE;
            }
            if (hidden(folder)) {
                return FileVisitResult.SKIP_SUBTREE;
            }
            if (isCase(folder)) {
                passOver(nameOf(folder));
                return FileVisitResult.SKIP_SUBTREE;
            }
            if (glob != null && glob.matches(folder)) {
                walk(nameOf(folder), folder);
                return FileVisitResult.SKIP_SUBTREE;
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (hidden(file) || (glob != null && !glob.matches(file))) {
                return FileVisitResult.CONTINUE;
            }
            if (attributes.isRegularFile()) {
                found(nameOf(file), file, false);
            } else if (attributes.isOther()) {
                notRead.add(new NotRead(nameOf(file), "a pipe, socket or device; name it itself to have it read"));
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException why) {
            if (!(why instanceof FileSystemLoopException)) {
                notRead.add(new NotRead(nameOf(file), "cannot be read: " + why.getMessage()));
            }
            return FileVisitResult.CONTINUE;
        }
    }

    private static boolean hidden(Path path) {
        Path name = path.getFileName();
        return name != null && name.toString().startsWith(".");
    }

    private static boolean isCase(Path folder) {
        if (Files.isRegularFile(folder.resolve("case.duckdb"))) {
            return true;
        }
        Path json = folder.resolve("case.json");
        if (!Files.isRegularFile(json)) {
            return false;
        }
        try (var in = Files.newInputStream(json)) {
            return new String(in.readNBytes(CASE_HEAD_BYTES), StandardCharsets.UTF_8).contains("case-v1");
        } catch (IOException e) {
            return false;
        }
    }
}
