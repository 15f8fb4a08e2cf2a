package dev.why429.cli.render;

import dev.why429.analyzers.store.Question;
import dev.why429.cli.Printable;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.json.JsonFactory;

/** Rows of an answer as a table for people, as CSV, or as JSON, one object a row. */
public abstract class Rows implements Question.Answer {
    public enum Format {
        TABLE,
        CSV,
        JSON
    }

    private final PrintStream out;
    private List<Question.Column> columns = List.of();

    private Rows(PrintStream out) {
        this.out = out;
    }

    public static Rows to(PrintStream out, Format format) {
        return switch (format) {
            case TABLE -> new Table(out);
            case CSV -> new Csv(out);
            case JSON -> new Json(out);
        };
    }

    @Override
    public void columns(List<Question.Column> given) {
        this.columns = given;
    }

    /** To be called after the last row. */
    public void end() {}

    /** Columns as wide as their widest of the first rows; later rows may stick out. */
    private static final class Table extends Rows {
        private static final int MEASURED_ROWS = 1000;
        private static final int WIDEST = 60;
        private final List<List<String>> waiting = new ArrayList<>();
        private int[] widths = new int[0];
        private long count;

        Table(PrintStream out) {
            super(out);
        }

        @Override
        public void row(List<Optional<String>> cells) {
            List<String> shown = cells.stream()
                    .map(cell -> Printable.of(cell.orElse("NULL"), WIDEST))
                    .toList();
            count++;
            if (waiting.size() < MEASURED_ROWS && widths.length == 0) {
                waiting.add(shown);
                return;
            }
            flush();
            print(shown);
        }

        @Override
        public void end() {
            flush();
            super.out.println(count == 1 ? "1 row" : Wording.count(count) + " rows");
        }

        private void flush() {
            if (widths.length > 0) {
                return;
            }
            List<String> names = super.columns.stream()
                    .map(column -> Printable.of(column.name(), WIDEST))
                    .toList();
            widths = names.stream().mapToInt(String::length).toArray();
            waiting.forEach(row -> {
                for (int i = 0; i < widths.length; i++) {
                    widths[i] = Math.max(widths[i], row.get(i).length());
                }
            });
            print(names);
            StringBuilder rule = new StringBuilder();
            for (int width : widths) {
                rule.append(rule.isEmpty() ? "" : "  ").append("-".repeat(width));
            }
            super.out.println(rule);
            waiting.forEach(this::print);
            waiting.clear();
        }

        private void print(List<String> cells) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < cells.size(); i++) {
                String side = super.columns.get(i).number() ? "" : "-";
                line.append(i == 0 ? "" : "  ")
                        .append(String.format(Locale.ROOT, "%" + side + Math.max(1, widths[i]) + "s", cells.get(i)));
            }
            super.out.println(line.toString().stripTrailing());
        }
    }

    /** RFC 4180; a text that a spreadsheet would take for a formula gets an apostrophe before it. */
    private static final class Csv extends Rows {
        Csv(PrintStream out) {
            super(out);
        }

        @Override
        public void columns(List<Question.Column> given) {
            super.columns(given);
            print(given.stream().map(column -> quoted(column.name())).toList());
        }

        @Override
        public void row(List<Optional<String>> cells) {
            List<String> line = new ArrayList<>();
            for (int i = 0; i < cells.size(); i++) {
                boolean number = super.columns.get(i).number();
                line.add(cells.get(i).map(text -> number ? text : quoted(text)).orElse(""));
            }
            print(line);
        }

        private void print(List<String> cells) {
            super.out.print(String.join(",", cells) + "\r\n");
        }

        private static String quoted(String text) {
            boolean formula = !text.isEmpty() && "=+-@\t\r".indexOf(text.charAt(0)) >= 0;
            return '"' + (formula ? "'" : "") + text.replace("\"", "\"\"") + '"';
        }
    }

    private static final class Json extends Rows {
        private static final JsonFactory FACTORY = new JsonFactory();

        Json(PrintStream out) {
            super(out);
        }

        @Override
        public void row(List<Optional<String>> cells) {
            java.io.StringWriter line = new java.io.StringWriter();
            try (JsonGenerator json = FACTORY.createGenerator(tools.jackson.core.ObjectWriteContext.empty(), line)) {
                json.writeStartObject();
                for (int i = 0; i < cells.size(); i++) {
                    json.writeName(super.columns.get(i).name());
                    Optional<String> cell = cells.get(i);
                    if (cell.isEmpty()) {
                        json.writeNull();
                    } else if (super.columns.get(i).number() && isJsonNumber(cell.get())) {
                        json.writeRawValue(cell.get());
                    } else {
                        json.writeString(cell.get());
                    }
                }
                json.writeEndObject();
            }
            super.out.println(line);
        }

        private static boolean isJsonNumber(String text) {
            try {
                return Double.isFinite(Double.parseDouble(text));
            } catch (NumberFormatException e) {
                return false;
            }
        }
    }
}
