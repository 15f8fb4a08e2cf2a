package dev.why429.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Where the result and everything else go. The only place that decides whether somebody is watching and whether colour is wanted.
 *
 * @param out the result
 * @param err progress, warnings, errors
 * @param errIsTerminal whether progress may be drawn
 * @param colour whether the result may bear colour; never the only carrier of a meaning
 */
public record Terminal(PrintStream out, PrintStream err, boolean errIsTerminal, boolean colour) {
    /** When to colour: as {@code --color} says. */
    public enum Colour {
        AUTO,
        ALWAYS,
        NEVER
    }

    /**
     * The process's own. The launcher tells in {@code why429.terminal} which of 1 (stdout) and 2 (stderr) are terminals, since Java can only
     * tell for stdin and stdout together, and differently from version to version. Without it nothing is one.
     */
    public static Terminal system() {
        String terminals = System.getProperty("why429.terminal", "");
        return new Terminal(
                stream(FileDescriptor.out),
                stream(FileDescriptor.err),
                terminals.contains("2"),
                wantsColour(System.getenv(), terminals.contains("1")));
    }

    private static PrintStream stream(FileDescriptor descriptor) {
        return new PrintStream(
                new java.io.BufferedOutputStream(new FileOutputStream(descriptor), 8192),
                false,
                StandardCharsets.UTF_8);
    }

    /** The habits of <a href="https://no-color.org">no-color.org</a> and of {@code CLICOLOR}. */
    static boolean wantsColour(Map<String, String> environment, boolean outIsTerminal) {
        if (!environment.getOrDefault("NO_COLOR", "").isEmpty()) {
            return false;
        }
        String force = environment.getOrDefault("CLICOLOR_FORCE", "0");
        if (!force.isEmpty() && !force.equals("0")) {
            return true;
        }
        return outIsTerminal
                && !environment.getOrDefault("CLICOLOR", "1").equals("0")
                && !environment.getOrDefault("TERM", "").equals("dumb");
    }

    public Terminal with(Colour wanted) {
        return wanted == Colour.AUTO ? this : new Terminal(out, err, errIsTerminal, wanted == Colour.ALWAYS);
    }

    /** One line to stderr, named after the program; the message may hold text of unknown origin. */
    public void say(String message) {
        for (String line : message.split("\n", -1)) {
            err.println("why429: " + Printable.of(line));
        }
        err.flush();
    }

    public void flush() {
        out.flush();
        err.flush();
    }
}
