package dev.why429.rules;

/**
 * One column of the request table or of the notice table, as {@code fields.yaml} says it.
 *
 * @param ordinal place in fields.yaml, from 0: what parsers use as an index
 * @param unit empty where the value has none
 */
public record Field(
        int ordinal, String name, Type type, String unit, Table table, Redaction redaction, String meaning) {
    public enum Type {
        TEXT,
        INTEGER,
        /** microseconds since 1970-01-01T00:00:00Z */
        INSTANT,
        /** with a fraction; parsers give millionths */
        NUMBER,
        /** true or false; parsers give 1 or 0 */
        FLAG
    }

    public enum Table {
        REQUESTS,
        NOTICES,
        BOTH
    }

    /** How a value is made harmless before it is stored. */
    public enum Redaction {
        NONE,
        ADDRESS,
        ADDRESS_LIST,
        IDENTITY,
        URL,
        TEXT,
        HEADERS,
        KEY
    }

    public boolean in(Table wanted) {
        return table == Table.BOTH || table == wanted;
    }
}
