package dev.why429.analyzers.audit.read;

import dev.why429.analyzers.audit.AuditReport;
import dev.why429.analyzers.audit.Place;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.FileVisitor;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Finds and reads the files that may hold a limiter or its surroundings. Never leaves the root, follows no symbolic link. */
public final class FileWalk {
    private static final long MAX_BYTES = 1024 * 1024;
    private static final long MAX_LOCK_BYTES = 4 * 1024 * 1024;
    private static final int MAX_FILES = 50_000;
    private static final Set<String> FOLDERS_OF_OTHERS = Set.of(
            "node_modules",
            ".git",
            ".hg",
            ".svn",
            "vendor",
            "target",
            "dist",
            "build",
            ".venv",
            "venv",
            "__pycache__",
            ".tox",
            ".next",
            ".terraform",
            ".idea",
            ".gradle",
            "coverage",
            "site-packages");
    private static final Set<String> ENDINGS = Set.of(
            "conf",
            "cfg",
            "yml",
            "yaml",
            "json",
            "js",
            "mjs",
            "cjs",
            "jsx",
            "ts",
            "mts",
            "cts",
            "tsx",
            "py",
            "lua",
            "tf",
            "toml",
            "properties",
            "ini",
            "rb",
            "php",
            "java",
            "go",
            "rs",
            "cs",
            "sh",
            "gradle",
            "mod",
            "caddyfile",
            "caddy",
            "vue",
            "kt",
            "svelte",
            "env",
            "redis",
            "service",
            "nginx",
            "kts",
            "lock",
            "xml",
            "csproj");
    private static final Set<String> NAMES =
            Set.of("caddyfile", "dockerfile", "procfile", "gemfile", "gemfile.lock", "pipfile", "makefile");

    private final Path root;
    private final List<Path> files = new ArrayList<>();
    private final List<AuditReport.Unread> unread = new ArrayList<>();
    private final List<String> excluded = new ArrayList<>();

    private FileWalk(Path root) {
        this.root = root;
    }

    /**
     * @param root real path
     * @param starts files and folders below it
     * @throws IOException when a start itself cannot be walked
     */
    public static FileWalk of(Path root, List<Path> starts) throws IOException {
        return of(root, starts, List.of());
    }

    /** @param exclude patterns of paths below the root, {@code legacy/**}; {@code *} stops at slashes, {@code **} does not */
    public static FileWalk of(Path root, List<Path> starts, List<String> exclude) throws IOException {
        FileWalk walk = new FileWalk(root);
        walk.excluded.addAll(exclude);
        for (Path start : starts) {
            Files.walkFileTree(start, walk.visitor());
        }
        walk.files.sort(Comparator.comparing(walk::relative));
        return walk;
    }

    /** One file whatever its name, and with {@code beside} the configuration files around it that it may include. */
    public static FileWalk withFile(Path root, Path file, boolean beside) throws IOException {
        FileWalk walk = beside ? of(root, List.of(root)) : new FileWalk(root);
        if (beside) {
            walk.files.removeIf(f -> !f.getFileName().toString().contains(".conf"));
        }
        walk.unread.clear();
        walk.files.remove(file);
        walk.files.add(0, file);
        return walk;
    }

    public List<Path> files() {
        return files;
    }

    public List<AuditReport.Unread> unread() {
        return unread;
    }

    public String relative(Path file) {
        return root.relativize(file).toString().replace('\\', '/');
    }

    private FileVisitor<Path> visitor() {
        return new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                Path name = folder.getFileName();
                return name != null
                                && !folder.equals(root)
                                && (FOLDERS_OF_OTHERS.contains(name.toString()) || isExcluded(folder))
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (!attributes.isRegularFile() || !wanted(file) || isExcluded(file)) {
                    return FileVisitResult.CONTINUE;
                }
                if (files.size() >= MAX_FILES) {
                    leaveOut(file, "more than " + MAX_FILES + " files: this and all later ones are not read");
                    return FileVisitResult.TERMINATE;
                }
                if (attributes.size() > (isLock(file) ? MAX_LOCK_BYTES : MAX_BYTES)) {
                    if (!isLock(file)) {
                        leaveOut(file, "larger than " + MAX_BYTES / 1024 + " KiB");
                    }
                    return FileVisitResult.CONTINUE;
                }
                files.add(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
                leaveOut(file, "cannot be opened");
                return FileVisitResult.CONTINUE;
            }
        };
    }

    private boolean isExcluded(Path path) {
        String relative = relative(path);
        return excluded.stream()
                .anyMatch(pattern -> pattern.equals(relative)
                        || pattern.equals(relative + "/")
                        || pattern.equals(relative + "/**")
                        || PathPattern.matches(pattern, relative));
    }

    private void leaveOut(Path file, String reason) {
        unread.add(new AuditReport.Unread(new Place(relative(file), 1, 1), reason));
    }

    private static boolean isLock(Path file) {
        String name = file.getFileName().toString();
        return name.equals("package-lock.json") || name.equals("yarn.lock") || name.equals("pnpm-lock.yaml");
    }

    private static boolean wanted(Path file) {
        String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
        String path = "/" + file.toString().replace('\\', '/');
        return NAMES.contains(name)
                || path.contains("/sites-enabled/")
                || path.contains("/sites-available/")
                || (name.contains(".conf.") && !name.endsWith(".md"))
                || name.startsWith("nginx.")
                || name.startsWith("caddyfile")
                || name.startsWith("dockerfile")
                || name.startsWith(".env")
                || ENDINGS.contains(name.substring(name.lastIndexOf('.') + 1));
    }

    /** @throws UnreadableException when the bytes are no UTF-8 text or cannot be had */
    public SourceFile read(Path file) throws UnreadableException {
        Place start = new Place(relative(file), 1, 1);
        try {
            byte[] bytes;
            try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
                bytes = in.readNBytes((int) (isLock(file) ? MAX_LOCK_BYTES : MAX_BYTES) + 1);
            }
            if (bytes.length > (isLock(file) ? MAX_LOCK_BYTES : MAX_BYTES)) {
                throw new UnreadableException(start, "larger than " + MAX_BYTES / 1024 + " KiB");
            }
            for (int i = 0; i < Math.min(bytes.length, 8000); i++) {
                if (bytes[i] == 0) {
                    throw new UnreadableException(start, "binary");
                }
            }
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return new SourceFile(relative(file), text.startsWith("\uFEFF") ? text.substring(1) : text);
        } catch (CharacterCodingException e) {
            throw new UnreadableException(start, "not UTF-8 text");
        } catch (IOException e) {
            throw new UnreadableException(start, "cannot be read: " + e.getMessage());
        }
    }
}
