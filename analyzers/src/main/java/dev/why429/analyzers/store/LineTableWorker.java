package dev.why429.analyzers.store;

import dev.why429.analyzers.parse.HeaderedReader;
import dev.why429.analyzers.parse.LineReader;
import dev.why429.analyzers.parse.LogFormat;
import dev.why429.analyzers.parse.OtherFormats;
import dev.why429.analyzers.parse.ParsedLine;
import dev.why429.analyzers.redact.LineRedactor;
import dev.why429.analyzers.source.LineFeeds;
import dev.why429.analyzers.source.Segment;
import dev.why429.analyzers.source.SegmentReader;
import dev.why429.rules.Field;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.duckdb.DuckDBDataChunkWriter;
import org.duckdb.DuckDBWritableVector;

/** One thread's part of a {@link LineTable}: takes segments, reads their lines, and writes a chunk of rows at a time. */
final class LineTableWorker {
    private final SegmentQueue queue;
    private final LineRedactor redactor;
    private final RejectWriter rejects;
    private final RowWriter notices;
    private final RowWriter late;
    private final Map<FormattedSource, OtherFormats.Reader> others = new HashMap<>();
    private final int[] numbers;
    private final int[] numberColumns;
    private final int[] texts;
    private final int[] textColumns;
    private final Segment segment = new Segment();
    private final ParsedLine line = new ParsedLine();
    private final Map<LogFormat, LineReader> readers = new HashMap<>();
    private Optional<SegmentQueue.OpenFile> file = Optional.empty();
    private LineReader reader;
    private int position;
    private long lineNumber;
    private boolean ended;
    private int rowsOfFile;
    private byte[][][] values = new byte[0][][];

    LineTableWorker(
            SegmentQueue queue,
            LineRedactor redactor,
            RejectWriter rejects,
            RowWriter notices,
            RowWriter late,
            List<Field> fields) {
        this.queue = queue;
        this.redactor = redactor;
        this.rejects = rejects;
        this.notices = notices;
        this.late = late;
        boolean[] isText = new boolean[fields.size()];
        int textCount = 0;
        for (int i = 0; i < isText.length; i++) {
            isText[i] = fields.get(i).type() == Field.Type.TEXT;
            textCount += isText[i] ? 1 : 0;
        }
        texts = new int[textCount];
        textColumns = new int[textCount];
        numbers = new int[isText.length - textCount];
        numberColumns = new int[numbers.length];
        int text = 0;
        int number = 0;
        for (int i = 0; i < isText.length; i++) {
            int column = LineTable.PLACE.size() + i;
            if (isText[i]) {
                texts[text] = fields.get(i).ordinal();
                textColumns[text++] = column;
            } else {
                numbers[number] = fields.get(i).ordinal();
                numberColumns[number++] = column;
            }
        }
    }

    /** @return rows written; 0 when this thread finds no more */
    long fill(DuckDBDataChunkWriter chunk) {
        int capacity = (int) chunk.capacity();
        if (values.length == 0 || values[0].length != capacity) {
            values = new byte[Math.max(1, texts.length)][capacity][];
        }
        DuckDBWritableVector files = chunk.vector(0);
        DuckDBWritableVector lines = chunk.vector(1);
        DuckDBWritableVector offsets = chunk.vector(2);
        DuckDBWritableVector[] longs = new DuckDBWritableVector[numbers.length];
        for (int i = 0; i < longs.length; i++) {
            longs[i] = chunk.vector(numberColumns[i]);
        }
        int rows = 0;
        while (rows < capacity && (position < segment.end() || nextSegment())) {
            int from = position;
            long number = lineNumber++;
            long offset = segment.byteOffset() + from;
            if (!readLine(from, number, offset)) {
                continue;
            }
            files.setLong(rows, tally().number());
            lines.setLong(rows, number);
            offsets.setLong(rows, offset);
            for (int i = 0; i < longs.length; i++) {
                if (line.isNumber(numbers[i])) {
                    longs[i].setLong(rows, line.number(numbers[i]));
                } else {
                    longs[i].setNull(rows);
                }
            }
            for (int i = 0; i < texts.length; i++) {
                values[i][rows] = text(texts[i]);
            }
            rows++;
        }
        if (rows > 0) {
            tallyRows();
            for (int i = 0; i < texts.length; i++) {
                byte[][] column = rows == capacity ? values[i] : Arrays.copyOf(values[i], rows);
                chunk.vector(textColumns[i]).setStringUtf8Batch(0, column);
            }
        }
        return rows;
    }

    private void tallyRows() {
        if (rowsOfFile > 0) {
            tally().rows.add(rowsOfFile);
            rowsOfFile = 0;
        }
    }

    private FileTally tally() {
        return file.orElseThrow().tally;
    }

    private byte[] text(int field) {
        if (line.isNumber(field)) {
            line.setText(field, Long.toString(line.number(field)).getBytes(StandardCharsets.US_ASCII));
        }
        return line.isText(field) ? redactor.stored(field, line) : null;
    }

    private boolean nextSegment() {
        if (ended) {
            return false;
        }
        tallyRows();
        Optional<SegmentQueue.OpenFile> before = file;
        file = queue.next(file, segment);
        position = 0;
        if (file.isEmpty()) {
            ended = true;
            segment.clear();
            return false;
        }
        if (!file.equals(before)) {
            reader = readers.computeIfAbsent(tally().input.format(), LogFormat::newReader);
        }
        if (reader instanceof HeaderedReader headered && segment.header().length > 0) {
            headered.header(segment.header(), 0, segment.header().length);
        }
        lineNumber = segment.firstLine();
        return true;
    }

    /** Reads the line that starts here; one that is no row becomes a reject. */
    private boolean readLine(int from, long number, long offset) {
        byte[] bytes = segment.bytes();
        if (segment.tooLong()) {
            position = segment.end();
            return reject(from, segment.end(), number, offset, "too_long");
        }
        int feed = LineFeeds.find(bytes, from, segment.end());
        int to = feed < 0 ? segment.end() : feed;
        position = to + 1;
        if (to > from && bytes[to - 1] == '\r') {
            to--;
        }
        if (to == from) {
            return reject(from, to, number, offset, "empty");
        }
        if (to - from > SegmentReader.MAX_LINE_BYTES) {
            return reject(from, to, number, offset, "too_long");
        }
        line.clear();
        boolean read;
        try {
            read = reader.read(bytes, from, to, line);
        } catch (RuntimeException e) {
            // one line that a reader stumbles over must not cost the others; it is counted and shown like any that
            // cannot be read
            return reject(from, to, number, offset, "reader_failed");
        }
        if (!read) {
            String reason = line.rejectReason().isEmpty() ? "unreadable" : line.rejectReason();
            if (ofAnotherFormat(bytes, from, to, number, offset)) {
                return false;
            }
            return reject(from, to, number, offset, reason);
        }
        if (line.isNotice() && tally().input.format().table() != Field.Table.NOTICES) {
            tally().noticesBeside.increment();
            notices.add(tally().number(), number, offset, line, redactor);
            return false;
        }
        rowsOfFile++;
        return true;
    }

    /** A line of another format than the log's own goes where its format says. */
    private boolean ofAnotherFormat(byte[] bytes, int from, int to, long number, long offset) {
        FormattedSource input = tally().input;
        if (input.others().isEmpty() || line.rejectReason().equals("continued")) {
            return false;
        }
        Optional<LogFormat> format;
        try {
            format = others.computeIfAbsent(
                            input, source -> source.others().orElseThrow().newReader())
                    .read(bytes, from, to, line);
        } catch (RuntimeException e) {
            return false;
        }
        if (format.isEmpty()) {
            return false;
        }
        boolean notice = line.isNotice();
        tally().ofAnother(format.get().id(), notice);
        (notice ? notices : late).add(tally().number(), number, offset, line, redactor);
        return true;
    }

    private boolean reject(int from, int to, long number, long offset, String reason) {
        int kept = Math.min(to, from + SegmentReader.KEPT_OF_LONG_LINE_BYTES);
        String text = redactor.rejected(segment.bytes(), from, kept);
        FileTally tally = tally();
        tally.reject(reason);
        rejects.add(new RejectWriter.Reject(tally.number(), number, offset, reason, text));
        return false;
    }
}
