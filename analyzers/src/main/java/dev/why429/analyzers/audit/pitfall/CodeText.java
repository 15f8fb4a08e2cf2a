package dev.why429.analyzers.audit.pitfall;

import dev.why429.analyzers.audit.read.SourceFile;

/** Program text of languages without a syntax tree here, where the calls to look for are so particular that their text tells enough. */
final class CodeText {
    private CodeText() {}

    /** The text with comments to the end of the line blanked out, every offset as before. */
    static String blanked(SourceFile file, String comment) {
        StringBuilder out = new StringBuilder();
        for (String line : file.text().split("\n", -1)) {
            String bare = line.stripLeading();
            int at = bare.startsWith(comment) ? line.length() - bare.length() : line.indexOf(" " + comment + " ");
            out.append(at < 0 ? line : line.substring(0, at) + " ".repeat(line.length() - at))
                    .append('\n');
        }
        out.setLength(Math.max(0, out.length() - 1));
        return out.toString();
    }

    /** Offset of the parenthesis that closes the one at {@code open}. */
    static int closing(String text, int open) {
        int depth = 0;
        for (int i = Math.max(0, open); i < text.length(); i++) {
            char c = text.charAt(i);
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
            if (depth == 0) {
                return i;
            }
        }
        return text.length() - 1;
    }
}
