package dev.why429.rules;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.jar.JarFile;

/**
 * One file of one rule folder, and how to read its neighbours.
 *
 * @param folder path of the rule's folder below the rule root, {@code fingerprints/app/express-rate-limit}
 * @param text the rule file itself
 */
public record RuleFile(String folder, String name, String text, Neighbours neighbours) {
    /** Reads another file of the same folder. */
    public interface Neighbours {
        Optional<String> read(String name);
    }

    static final String ROOT = "why429-rules";

    /** Last part of the folder: the rule's id. */
    public String id() {
        return folder.substring(folder.lastIndexOf('/') + 1);
    }

    /** How to name the file in a message. */
    public String path() {
        return "rules/" + folder + "/" + name;
    }

    /** Text of a file beside the rule, {@code detect.sql} say. */
    public Optional<String> beside(String neighbour) {
        return neighbours.read(neighbour);
    }

    /** Other files of a rule's folder that decide what it does; those beside them are proof. */
    private static final List<String> PARTS = List.of("limiter.lua", "detect.sql");

    /** The rule file and every other file of its folder that decides what the rule does, names and contents in a fixed order. */
    List<String> namesAndContents() {
        List<String> all = new ArrayList<>(List.of(path(), text));
        for (String part : PARTS) {
            beside(part).ifPresent(content -> all.addAll(List.of("rules/" + folder + "/" + part, content)));
        }
        return all;
    }

    /** The rule files that come with the program, in the order of their folders. */
    static List<RuleFile> builtIn(RuleKind<?> kind) {
        try {
            Path where = Path.of(RuleFile.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            return Files.isDirectory(where) ? inFolder(where.resolve(ROOT), kind) : inJar(where, kind);
        } catch (java.net.URISyntaxException e) {
            throw new IllegalStateException("the rules' own place cannot be read", e);
        }
    }

    private static List<RuleFile> inJar(Path jar, RuleKind<?> kind) {
        List<RuleFile> found = new ArrayList<>();
        try (JarFile file = new JarFile(jar.toFile())) {
            String prefix = ROOT + "/" + kind.folder() + "/";
            String suffix = "/" + kind.fileName();
            for (String name : file.stream()
                    .map(java.util.zip.ZipEntry::getName)
                    .filter(n -> n.startsWith(prefix) && n.endsWith(suffix))
                    .sorted()
                    .toList()) {
                String folder = name.substring(ROOT.length() + 1, name.length() - suffix.length());
                found.add(new RuleFile(
                        folder,
                        kind.fileName(),
                        resource(name).orElseThrow(),
                        beside -> resource(ROOT + "/" + folder + "/" + beside)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the rules in \"" + jar + "\"", e);
        }
        return found;
    }

    /** The rule files below a folder of one's own (or of the build), in the order of their folders. */
    static List<RuleFile> inFolder(Path root, RuleKind<?> kind) {
        Path start = root.resolve(kind.folder());
        if (!Files.isDirectory(start)) {
            return List.of();
        }
        List<RuleFile> found = new ArrayList<>();
        try (var walk = Files.walk(start, kind.depth() + 1)) {
            for (Path file : walk.filter(p -> p.getFileName().toString().equals(kind.fileName()))
                    .filter(p -> start.relativize(p).getNameCount() == kind.depth() + 1)
                    .sorted()
                    .toList()) {
                Path folder = file.getParent();
                String relative = root.relativize(folder).toString().replace('\\', '/');
                found.add(new RuleFile(
                        relative, kind.fileName(), Files.readString(file), beside -> readNeighbour(folder, beside)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the rules in \"" + root + "\"", e);
        }
        return found;
    }

    /** The rule file of one folder of a kind that comes with the program. */
    static Optional<RuleFile> builtInAt(RuleKind<?> kind, String folder) {
        String relative = kind.folder() + "/" + folder;
        return resource(ROOT + "/" + relative + "/" + kind.fileName())
                .map(text -> new RuleFile(
                        relative, kind.fileName(), text, beside -> resource(ROOT + "/" + relative + "/" + beside)));
    }

    /** The rule file of one folder of a kind below a folder of one's own. */
    static Optional<RuleFile> inFolderAt(Path root, RuleKind<?> kind, String folder) {
        Path place = root.resolve(kind.folder()).resolve(folder);
        return readNeighbour(place, kind.fileName())
                .map(text -> new RuleFile(
                        kind.folder() + "/" + folder, kind.fileName(), text, beside -> readNeighbour(place, beside)));
    }

    private static Optional<String> readNeighbour(Path folder, String name) {
        Path file = folder.resolve(name).normalize();
        if (!file.startsWith(folder) || !Files.isRegularFile(file)) {
            return Optional.empty();
        }
        try {
            return Optional.of(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read \"" + file + "\"", e);
        }
    }

    static Optional<String> resource(String name) {
        try (var in = RuleFile.class.getClassLoader().getResourceAsStream(name)) {
            return in == null ? Optional.empty() : Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read \"" + name + "\"", e);
        }
    }
}
