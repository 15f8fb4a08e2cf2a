package dev.why429.analyzers.audit.read;

import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import org.treesitter.TSInputEncoding;
import org.treesitter.TSLanguage;
import org.treesitter.TSNode;
import org.treesitter.TSParser;
import org.treesitter.TSTree;
import org.treesitter.TSTreeCursor;
import org.treesitter.TreeSitterJavascript;
import org.treesitter.TreeSitterPython;
import org.treesitter.TreeSitterTypescript;

/** Reads program text into {@link Syntax}. A grammar, and the native library, is loaded when the first file needs it. */
public final class SyntaxReader {
    /** The languages whose text is read as a tree. */
    public enum Language {
        JAVASCRIPT,
        TYPESCRIPT,
        PYTHON
    }

    private static final int MAX_DEPTH = 400;
    private static final int MAX_NODES = 400_000;
    private static final long MAX_PARSE_NANOS = 2_000_000_000L;

    private final Map<Language, TSLanguage> grammars = new EnumMap<>(Language.class);

    /** @throws UnreadableException when the text is too deep or takes too long */
    public Syntax read(SourceFile file, Language language) throws UnreadableException {
        byte[] bytes = file.text().getBytes(StandardCharsets.UTF_8);
        int[] unitOfByte = bytes.length == file.text().length() ? new int[0] : unitOfByte(file.text(), bytes.length);
        long giveUpAt = System.nanoTime() + MAX_PARSE_NANOS;
        try (TSParser parser = new TSParser()) {
            parser.setLanguage(grammars.computeIfAbsent(language, SyntaxReader::grammar));
            byte[] buffer = new byte[8192];
            TSTree tree = parser.parseWithOptions(
                    buffer,
                    null,
                    (into, offset, position) -> {
                        int length = Math.max(0, Math.min(into.length, bytes.length - offset));
                        System.arraycopy(bytes, Math.min(offset, bytes.length), into, 0, length);
                        return length;
                    },
                    TSInputEncoding.TSInputEncodingUTF8,
                    state -> System.nanoTime() > giveUpAt);
            if (tree == null || tree.getRootNode().isNull()) {
                throw new UnreadableException(file.at(1, 1), "takes longer than two seconds to parse");
            }
            return copy(file, tree, unitOfByte);
        }
    }

    private static TSLanguage grammar(Language language) {
        return switch (language) {
            case JAVASCRIPT -> new TreeSitterJavascript();
            case TYPESCRIPT -> new TreeSitterTypescript();
            case PYTHON -> new TreeSitterPython();
        };
    }

    private static Syntax copy(SourceFile file, TSTree tree, int[] unitOfByte) throws UnreadableException {
        try (TSTreeCursor cursor = new TSTreeCursor(tree.getRootNode())) {
            Syntax root = node(file, cursor, unitOfByte, null);
            Syntax at = root;
            int depth = 0;
            int nodes = 1;
            while (true) {
                if (cursor.gotoFirstChild()) {
                    depth++;
                } else {
                    boolean sibling = cursor.gotoNextSibling();
                    while (!sibling && depth > 0) {
                        cursor.gotoParent();
                        depth--;
                        at = at.parent().orElse(root);
                        sibling = depth > 0 && cursor.gotoNextSibling();
                    }
                    if (!sibling) {
                        return root;
                    }
                    at = at.parent().orElse(root);
                }
                if (depth > MAX_DEPTH) {
                    throw new UnreadableException(at.place(), "nested deeper than " + MAX_DEPTH + " levels");
                }
                if (++nodes > MAX_NODES) {
                    throw new UnreadableException(at.place(), "more than " + MAX_NODES + " syntax nodes");
                }
                at = node(file, cursor, unitOfByte, at);
            }
        }
    }

    private static Syntax node(SourceFile file, TSTreeCursor cursor, int[] unitOfByte, Syntax parent) {
        TSNode node = cursor.currentNode();
        if (!node.isNamed()) {
            // signs and words of the language: most of the nodes, and nobody asks for them
            return Syntax.unattached(file, parent);
        }
        String field = cursor.currentFieldName();
        return new Syntax(
                file,
                node.getType(),
                field == null ? "" : field,
                unit(unitOfByte, node.getStartByte()),
                unit(unitOfByte, node.getEndByte()),
                parent);
    }

    private static int unit(int[] unitOfByte, int offset) {
        return unitOfByte.length == 0 ? offset : unitOfByte[offset];
    }

    private static int[] unitOfByte(String text, int byteCount) {
        int[] units = new int[byteCount + 1];
        int at = 0;
        for (int unit = 0; unit < text.length(); ) {
            int point = text.codePointAt(unit);
            int width = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
            if (point >= 0xD800 && point <= 0xDFFF) {
                width = 1;
            }
            for (int i = 0; i < width && at < byteCount; i++) {
                units[at++] = unit;
            }
            unit += Character.charCount(point);
        }
        while (at <= byteCount) {
            units[at++] = text.length();
        }
        return units;
    }
}
