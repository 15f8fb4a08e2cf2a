package dev.why429.rules;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything known about others' software. Each kind is read when it is first asked for. The rules that come with the program were validated
 * when it was built; those of a folder of one's own are validated here.
 */
public final class Rulebook {
    private final List<Path> ownFolders;
    private final Map<RuleKind<?>, List<?>> loaded = new HashMap<>();

    private Rulebook(List<Path> ownFolders) {
        this.ownFolders = List.copyOf(ownFolders);
    }

    public static Rulebook builtIn() {
        return new Rulebook(List.of());
    }

    /** The built-in rules and those of further folders; a folder of one's own wins where ids are the same. */
    public static Rulebook with(List<Path> ownFolders) {
        return new Rulebook(ownFolders);
    }

    /**
     * @return all rules of a kind, in the order of their folders
     * @throws RuleProblems every fault of every file of the kind
     */
    @SuppressWarnings("unchecked")
    public synchronized <T> List<T> all(RuleKind<T> kind) {
        return (List<T>) loaded.computeIfAbsent(kind, k -> load(kind));
    }

    /**
     * One rule, read alone: for who needs few of many.
     *
     * @param folder below the kind's own, {@code nginx/status-not-429}
     * @throws RuleProblems every fault of its file
     */
    public <T> Optional<T> find(RuleKind<T> kind, String folder) {
        Optional<RuleFile> file = RuleFile.builtInAt(kind, folder);
        Optional<RuleSchema> schema = Optional.empty();
        for (Path own : ownFolders) {
            Optional<RuleFile> better = RuleFile.inFolderAt(own, kind, folder);
            if (better.isPresent()) {
                file = better;
                schema = Optional.of(RuleSchema.of(kind));
            }
        }
        if (file.isEmpty()) {
            return Optional.empty();
        }
        List<RuleProblem> problems = new ArrayList<>();
        Optional<T> rule = read(kind, file.get(), schema, problems);
        if (!problems.isEmpty()) {
            throw new RuleProblems(problems);
        }
        return rule;
    }

    private <T> List<T> load(RuleKind<T> kind) {
        List<RuleProblem> problems = new ArrayList<>();
        Map<String, T> byFolder = new LinkedHashMap<>();
        for (RuleFile file : RuleFile.builtIn(kind)) {
            read(kind, file, Optional.empty(), problems).ifPresent(rule -> byFolder.put(file.folder(), rule));
        }
        Optional<RuleSchema> schema = ownFolders.isEmpty() ? Optional.empty() : Optional.of(RuleSchema.of(kind));
        for (Path folder : ownFolders) {
            for (RuleFile file : RuleFile.inFolder(folder, kind)) {
                read(kind, file, schema, problems).ifPresent(rule -> byFolder.put(file.folder(), rule));
            }
        }
        if (!problems.isEmpty()) {
            throw new RuleProblems(problems);
        }
        return List.copyOf(byFolder.values());
    }

    static <T> Optional<T> read(
            RuleKind<T> kind, RuleFile file, Optional<RuleSchema> schema, List<RuleProblem> problems) {
        try {
            YamlDocument document = YamlDocument.parse(file.path(), file.text());
            List<RuleProblem> faults = new ArrayList<>();
            schema.ifPresent(s -> faults.addAll(s.check(file, document)));
            if (faults.isEmpty()) {
                T rule = kind.binder().bind(file, document, faults);
                if (faults.isEmpty()) {
                    return Optional.of(rule);
                }
            }
            problems.addAll(faults);
        } catch (RuleProblems e) {
            problems.addAll(e.problems());
        }
        return Optional.empty();
    }

    /**
     * SHA-256 over all rule files of the given kinds and the scripts and queries beside them, names and contents, so that a case can say by
     * which knowledge it was made. Each name and content is preceded by its length, so that nothing can move from one into the next.
     */
    public String sha256(List<RuleKind<?>> kinds) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (RuleKind<?> kind : kinds) {
                List<RuleFile> files = new ArrayList<>(RuleFile.builtIn(kind));
                ownFolders.forEach(folder -> files.addAll(RuleFile.inFolder(folder, kind)));
                for (RuleFile file : files) {
                    for (String part : file.namesAndContents()) {
                        byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
                        digest.update(ByteBuffer.allocate(Integer.BYTES)
                                .putInt(bytes.length)
                                .array());
                        digest.update(bytes);
                    }
                }
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
