package dev.why429.analyzers.audit;

import dev.why429.analyzers.InputProblem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * Which files differ from a revision, by git. The repository's own configuration could name programs to run; those that a diff of names
 * would start are switched off.
 */
final class ChangedFiles {
    private static final int MAX_BYTES = 16 * 1024 * 1024;
    private static final List<String> GIT = List.of(
            "git",
            "-c",
            "core.fsmonitor=false",
            "-c",
            "core.hooksPath=/dev/null",
            "-c",
            "diff.external=",
            "--no-pager");

    private ChangedFiles() {}

    /**
     * @return paths below the root, with slashes: changed since the revision, and new
     * @throws InputProblem when the revision is unknown, or git is not there
     */
    static Set<String> since(Path root, String revision) {
        if (revision.isBlank() || revision.startsWith("-") || revision.chars().anyMatch(c -> c < ' ')) {
            throw problem(revision, "is no revision");
        }
        Set<String> changed = new TreeSet<>();
        changed.addAll(run(
                root,
                revision,
                List.of("diff", "--name-only", "-z", "--no-ext-diff", "--no-textconv", "--relative", revision, "--")));
        changed.addAll(run(root, revision, List.of("ls-files", "--others", "--exclude-standard", "-z")));
        return changed;
    }

    private static List<String> run(Path root, String revision, List<String> words) {
        List<String> command = new ArrayList<>(GIT);
        command.addAll(words);
        ProcessBuilder builder = new ProcessBuilder(command).directory(root.toFile());
        builder.redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("GIT_OPTIONAL_LOCKS", "0");
        try {
            Process git = builder.start();
            git.getOutputStream().close();
            byte[] out = git.getInputStream().readNBytes(MAX_BYTES);
            if (!git.waitFor(30, TimeUnit.SECONDS) || git.exitValue() != 0) {
                git.destroyForcibly();
                throw problem(revision, "is unknown to git here");
            }
            return List.of(new String(out, StandardCharsets.UTF_8).split("\0", -1)).stream()
                    .filter(path -> !path.isEmpty())
                    .toList();
        } catch (IOException e) {
            throw problem(revision, "cannot be asked for: git does not run (" + e.getMessage() + ")");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw problem(revision, "was not waited for");
        }
    }

    private static InputProblem problem(String revision, String what) {
        return new InputProblem(
                InputProblem.Kind.USAGE,
                List.of("--changed-since: \"" + revision + "\" " + what
                        + "; give a branch, tag or commit of this repository, as in --changed-since origin/main"));
    }
}
