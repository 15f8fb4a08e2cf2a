package dev.why429.analyzers.audit.read;

import dev.why429.analyzers.audit.Place;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** Reads nginx's configuration language: words, quotes, comments, blocks. Caddyfiles are close enough to go through {@link #lines}. */
public final class NginxReader {
    private static final int MAX_DEPTH = 40;

    /**
     * One directive, {@code limit_req zone=api burst=5;}, or a block.
     *
     * @param words after the name, without quotes
     */
    public record Directive(String name, List<String> words, List<Directive> block, Place place) {
        public Directive {
            words = List.copyOf(words);
        }

        public Optional<Directive> child(String wanted) {
            return block.stream().filter(d -> d.name().equals(wanted)).findFirst();
        }

        /** This directive and all inside it. */
        public void walk(java.util.function.Consumer<Directive> visitor) {
            visitor.accept(this);
            block.forEach(child -> child.walk(visitor));
        }

        /** Value of {@code key=value} among the words. */
        public Optional<String> option(String key) {
            return words.stream()
                    .filter(word -> word.startsWith(key + "="))
                    .map(word -> word.substring(key.length() + 1))
                    .findFirst();
        }

        public String word(int index) {
            return index < words.size() ? words.get(index) : "";
        }
    }

    private record Word(String text, int offset, boolean quoted) {
        boolean is(String sign) {
            return !quoted && text.equals(sign);
        }
    }

    private NginxReader() {}

    /** @return the top-level directives; what follows a fault is left out and told */
    public static List<Directive> read(SourceFile file, List<UnreadableException> faults) {
        return build(file, words(file.text(), false), faults);
    }

    /** The same for a language whose directives end with their line, as a Caddyfile's do. */
    public static List<Directive> lines(SourceFile file, List<UnreadableException> faults) {
        return build(file, words(file.text(), true), faults);
    }

    private static List<Directive> build(SourceFile file, List<Word> words, List<UnreadableException> faults) {
        List<Directive> top = new ArrayList<>();
        Deque<List<Directive>> open = new ArrayDeque<>();
        open.push(top);
        List<Word> current = new ArrayList<>();
        for (Word word : words) {
            if (word.is(";")) {
                end(file, current, open.getFirst(), new ArrayList<>(0));
            } else if (word.is("{")) {
                List<Directive> block = new ArrayList<>();
                if (current.isEmpty()) {
                    current.add(new Word("", word.offset(), false));
                }
                end(file, current, open.getFirst(), block);
                open.push(block);
                if (open.size() > MAX_DEPTH) {
                    faults.add(new UnreadableException(
                            file.at(word.offset()), "blocks nested deeper than " + MAX_DEPTH + " levels"));
                    return top;
                }
            } else if (word.is("}")) {
                end(file, current, open.getFirst(), new ArrayList<>(0));
                if (open.size() == 1) {
                    faults.add(new UnreadableException(file.at(word.offset()), "a \"}\" without its \"{\""));
                    return top;
                }
                open.pop();
            } else {
                current.add(word);
            }
        }
        end(file, current, open.getFirst(), new ArrayList<>(0));
        if (open.size() > 1) {
            faults.add(new UnreadableException(file.at(file.text().length()), "a \"{\" is never closed"));
        }
        return top;
    }

    private static void end(SourceFile file, List<Word> current, List<Directive> into, List<Directive> block) {
        if (!current.isEmpty()) {
            Word first = current.get(0);
            List<String> rest =
                    current.subList(1, current.size()).stream().map(Word::text).toList();
            into.add(new Directive(first.text(), rest, block, file.at(first.offset())));
            current.clear();
        }
    }

    private static List<Word> words(String text, boolean lineEnds) {
        List<Word> words = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '\n' && lineEnds) {
                words.add(new Word(";", at++, false));
            } else if (Character.isWhitespace(c)) {
                at++;
            } else if (c == '#') {
                int end = text.indexOf('\n', at);
                at = end < 0 ? text.length() : end;
            } else if (c == '"' || c == '\'' || c == '`') {
                int end = at + 1;
                while (end < text.length() && text.charAt(end) != c) {
                    end += text.charAt(end) == '\\' ? 2 : 1;
                }
                words.add(new Word(text.substring(at + 1, Math.min(end, text.length())), at, true));
                at = end + 1;
            } else if (isSign(text, at, lineEnds)) {
                words.add(new Word(String.valueOf(c), at++, false));
            } else {
                int end = plainWordEnd(text, at, lineEnds);
                words.add(new Word(text.substring(at, end), at, false));
                at = end;
            }
        }
        return words;
    }

    private static boolean isSign(String text, int at, boolean lineEnds) {
        char c = text.charAt(at);
        if (c == '{' && lineEnds) {
            // {remote_host} is a Caddy placeholder; a block opens at the end of its line
            return text.substring(at + 1, Math.min(at + 2, text.length())).isBlank();
        }
        return c == '{' || c == '}' || (c == ';' && !lineEnds);
    }

    private static int plainWordEnd(String text, int start, boolean lineEnds) {
        int at = start;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (Character.isWhitespace(c) || (!lineEnds && (c == ';' || c == '}'))) {
                break;
            }
            if (c == '{' && at > start && !lineEnds && text.charAt(at - 1) != '$') {
                break;
            }
            if (c == '{' && !lineEnds) {
                // ${variable}
                int close = text.indexOf('}', at);
                at = close < 0 ? text.length() - 1 : close;
            }
            if (c == '\\') {
                at++;
            }
            at++;
        }
        return Math.min(at, text.length());
    }
}
