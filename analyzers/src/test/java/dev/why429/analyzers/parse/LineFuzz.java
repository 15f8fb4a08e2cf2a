package dev.why429.analyzers.parse;

import java.util.ArrayList;
import java.util.List;

/** Every format on any bytes: a line is read or refused, and nothing is thrown. */
public final class LineFuzz {
    private static final List<LineReader> READERS = readers();

    private LineFuzz() {}

    private static List<LineReader> readers() {
        LogFormats formats = LogFormats.builtIn();
        List<LineReader> readers = new ArrayList<>();
        formats.candidates(FormatHint.none())
                .forEach(candidate -> readers.add(candidate.compiled().newReader()));
        formats.lastResorts(FormatHint.none()).forEach(format -> readers.add(format.newReader()));
        return readers;
    }

    public static void fuzzerTestOneInput(byte[] data) {
        int length = 0;
        while (length < data.length && data[length] != '\n') {
            length++;
        }
        ParsedLine line = new ParsedLine();
        for (LineReader reader : READERS) {
            line.clear();
            reader.read(data, 0, length, line);
        }
    }
}
