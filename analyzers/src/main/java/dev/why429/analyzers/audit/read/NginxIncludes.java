package dev.why429.analyzers.audit.read;

import dev.why429.analyzers.audit.read.NginxReader.Directive;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Puts what nginx's {@code include} names where it is named. Only files that were read already are taken, so nothing outside the root is
 * ever opened; {@code /etc/nginx/conf.d/*.conf} is looked for by the end of its path.
 */
final class NginxIncludes {
    private static final int MAX_DEPTH = 10;
    private static final int MAX_DIRECTIVES = 100_000;

    private final List<Sources.Blocks> files;
    private final List<UnreadableException> faults;
    private final Set<String> included = new HashSet<>();
    private int directives;

    private NginxIncludes(List<Sources.Blocks> files, List<UnreadableException> faults) {
        this.files = files;
        this.faults = faults;
    }

    /** @return the files that no other one includes, with everything they include in them */
    static List<Sources.Blocks> resolve(List<Sources.Blocks> files, List<UnreadableException> faults) {
        boolean any = files.stream().anyMatch(f -> f.file().text().contains("include"));
        if (!any) {
            return files;
        }
        NginxIncludes includes = new NginxIncludes(files, faults);
        List<Sources.Blocks> resolved = new ArrayList<>();
        for (Sources.Blocks blocks : files) {
            resolved.add(new Sources.Blocks(
                    blocks.file(),
                    includes.expand(
                            blocks.directives(),
                            blocks.file(),
                            List.of(blocks.file().path()))));
        }
        List<Sources.Blocks> top = resolved.stream()
                .filter(blocks -> !includes.included.contains(blocks.file().path()))
                .toList();
        // a circle of files that all include each other has no top: each is looked at on its own
        return top.isEmpty() ? resolved : top;
    }

    private List<Directive> expand(List<Directive> from, SourceFile file, List<String> chain) {
        List<Directive> out = new ArrayList<>();
        for (Directive directive : from) {
            if (++directives > MAX_DIRECTIVES) {
                return out;
            }
            if (directive.name().equals("include") && directive.block().isEmpty()) {
                include(directive, file, chain, out);
            } else if (directive.block().isEmpty()) {
                out.add(directive);
            } else {
                out.add(new Directive(
                        directive.name(),
                        directive.words(),
                        expand(directive.block(), file, chain),
                        directive.place()));
            }
        }
        return out;
    }

    private void include(Directive include, SourceFile from, List<String> chain, List<Directive> out) {
        for (Sources.Blocks blocks : named(include.word(0), from)) {
            String path = blocks.file().path();
            if (chain.contains(path)) {
                faults.add(new UnreadableException(include.place(), "\"" + path + "\" includes itself; read once"));
            } else if (chain.size() >= MAX_DEPTH) {
                faults.add(new UnreadableException(include.place(), "includes nested deeper than " + MAX_DEPTH));
            } else {
                included.add(path);
                List<String> longer = new ArrayList<>(chain);
                longer.add(path);
                out.addAll(expand(blocks.directives(), blocks.file(), longer));
            }
        }
    }

    private List<Sources.Blocks> named(String pattern, SourceFile from) {
        if (pattern.isEmpty() || pattern.endsWith("mime.types") || pattern.contains("..")) {
            return List.of();
        }
        String folder =
                from.path().contains("/") ? from.path().substring(0, from.path().lastIndexOf('/') + 1) : "";
        String wanted = pattern.startsWith("/") ? pattern.substring(1) : folder + pattern;
        List<Sources.Blocks> exact = matching(wanted, false);
        if (!exact.isEmpty()) {
            return exact;
        }
        // etc/nginx/conf.d/*.conf, nginx/conf.d/*.conf, conf.d/*.conf: the longest end that names a file here
        String rest = pattern.startsWith("/") ? pattern.substring(1) : pattern;
        while (rest.contains("/")) {
            List<Sources.Blocks> found = matching(rest, true);
            if (!found.isEmpty()) {
                return found;
            }
            rest = rest.substring(rest.indexOf('/') + 1);
        }
        return pattern.startsWith("/") || rest.startsWith("*") ? List.of() : matching(rest, true);
    }

    private List<Sources.Blocks> matching(String pattern, boolean atEnd) {
        return files.stream()
                .filter(blocks -> {
                    String path = blocks.file().path();
                    int slashes = (int) pattern.chars().filter(c -> c == '/').count();
                    if (!atEnd) {
                        return PathPattern.matches(pattern, path);
                    }
                    String[] parts = path.split("/", -1);
                    if (parts.length <= slashes) {
                        return false;
                    }
                    String end = String.join("/", List.of(parts).subList(parts.length - slashes - 1, parts.length));
                    return PathPattern.matches(pattern, end);
                })
                .toList();
    }
}
