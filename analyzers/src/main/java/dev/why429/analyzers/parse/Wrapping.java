package dev.why429.analyzers.parse;

import dev.why429.rules.Format.Escaping;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What carriers of logs put around a line: its head or a JSON object, which is peeled before the line itself is read. */
enum Wrapping {
    /** {@code {"log":"…\n","stream":"stdout","time":"2026-11-30T19:40:02.124518312Z"}} */
    DOCKER("docker json-file", "time"),
    /** {@code 2026-11-30T19:40:02.124518312Z stdout F …}; P instead of F: the line goes on */
    CRI("CRI container log"),
    /** {@code {"__REALTIME_TIMESTAMP":"1796067602117456","MESSAGE":"…","_HOSTNAME":"lb1"}} */
    JOURNALD("journald JSON", "__REALTIME_TIMESTAMP"),
    /** {@code {"labels":{…},"line":"…","timestamp":"…"}}, or one entry of {@code {"stream":{…},"values":[["ns","…"]]}} */
    LOKI("Loki export", "timestamp"),
    /** {@code {"timestamp":1796067602117,"message":"…","logStreamName":"…"}} */
    CLOUDWATCH("CloudWatch export", "timestamp"),
    /** {@code {"_index":"…","_source":{…}}} */
    ELASTIC("Elasticsearch export"),
    /** {@code [pod/orders-1/app] …} */
    KUBECTL("kubectl logs --prefix"),
    /** {@code orders-1  | …} */
    COMPOSE("docker compose logs"),
    /** {@code <134>Nov 30 19:40:02 lb1 nginx: …} and {@code <134>1 2026-11-30T19:40:02.117Z lb1 nginx - - - …} */
    SYSLOG("syslog"),
    /** {@code 2026-11-30T19:40:02.117Z …}, as kubectl and CloudWatch put before lines */
    STAMPED("a time before each line");

    /** Those that no format of a server reads by itself; the others are tried when nothing reads the line as it is. */
    static final List<Wrapping> SURE = List.of(DOCKER, CRI, JOURNALD, LOKI, CLOUDWATCH, ELASTIC, KUBECTL, COMPOSE);

    static final List<Wrapping> OTHERS = List.of(SYSLOG, STAMPED);

    private final String title;
    /** The member that bears the stamp, empty where there is none. */
    private final String stampKey;

    Wrapping(String title) {
        this(title, "");
    }

    Wrapping(String title, String stampKey) {
        this.title = title;
        this.stampKey = stampKey;
    }

    String title() {
        return title;
    }

    /** What was around one line. One instance per thread. */
    static final class Peeled {
        /** The line itself: a slice of the given bytes or of a buffer of its own. */
        byte[] bytes = new byte[0];

        int from;
        int to;

        byte[] source = new byte[0];
        int stampFrom;
        int stampTo;
        int nodeFrom;
        int nodeTo;

        /** Whether the line goes on in the next one of its stream. */
        boolean continues;

        boolean stderr;
        private byte[] buffer = new byte[4096];

        private void begin(byte[] b) {
            source = b;
            stampFrom = 0;
            stampTo = 0;
            nodeFrom = 0;
            nodeTo = 0;
            continues = false;
            stderr = false;
        }

        private void content(byte[] b, int start, int end) {
            bytes = b;
            from = start;
            to = end;
        }

        /** A JSON string's content. */
        private void unescaped(byte[] b, int start, int end) {
            if (buffer.length < end - start) {
                buffer = new byte[(end - start) * 2];
            }
            content(buffer, 0, Escapes.unescape(b, start, end, Escaping.BACKSLASH, buffer, 0));
        }

        private void stamp(int start, int end) {
            stampFrom = start;
            stampTo = end;
        }

        private void node(int start, int end) {
            nodeFrom = start;
            nodeTo = end;
        }
    }

    /** @return false when the line is not wrapped so */
    boolean peel(byte[] b, int from, int to, Peeled into) {
        into.begin(b);
        return switch (this) {
            case CRI -> cri(b, from, to, into);
            case KUBECTL -> kubectl(b, from, to, into);
            case COMPOSE -> compose(b, from, to, into);
            case SYSLOG -> syslog(b, from, to, into);
            case STAMPED -> stamped(b, from, to, into);
            case DOCKER, JOURNALD, LOKI, CLOUDWATCH, ELASTIC -> json(b, from, to, into);
        };
    }

    private static boolean isIsoStamp(byte[] b, int from, int to) {
        return to - from >= 19
                && Slices.isDigit(b[from])
                && b[from + 4] == '-'
                && b[from + 10] == 'T'
                && b[from + 13] == ':';
    }

    private static boolean cri(byte[] b, int from, int to, Peeled into) {
        int blank = Slices.findNear(b, from, Math.min(to, from + 40), (byte) ' ');
        if (blank < 0 || !isIsoStamp(b, from, blank) || blank + 10 > to) {
            return false;
        }
        boolean out = Slices.startsWith(b, blank + 1, to, STDOUT);
        boolean err = Slices.startsWith(b, blank + 1, to, STDERR);
        byte tag = b[blank + 8];
        boolean tagged = (tag == 'F' || tag == 'P') && (blank + 9 >= to || b[blank + 9] == ' ' || b[blank + 9] == ':');
        if (!(out || err) || !tagged) {
            return false;
        }
        int content = Slices.findNear(b, blank + 8, to, (byte) ' ');
        into.stamp(from, blank);
        into.stderr = err;
        into.continues = tag == 'P';
        into.content(b, content < 0 ? to : content + 1, to);
        return true;
    }

    private static final byte[] STDOUT = "stdout ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] STDERR = "stderr ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] POD = "[pod/".getBytes(StandardCharsets.US_ASCII);

    private static boolean kubectl(byte[] b, int from, int to, Peeled into) {
        if (!Slices.startsWith(b, from, to, POD)) {
            return false;
        }
        int close = Slices.findNear(b, from, Math.min(to, from + 300), (byte) ']');
        int slash = close < 0 ? -1 : Slices.findNear(b, from + 5, close, (byte) '/');
        if (close < 0 || close + 1 >= to || b[close + 1] != ' ') {
            return false;
        }
        into.node(from + 5, slash < 0 ? close : slash);
        into.content(b, close + 2, to);
        return true;
    }

    private static boolean compose(byte[] b, int from, int to, Peeled into) {
        int name = from;
        while (name < to && name - from < 80 && isNameByte(b[name])) {
            name++;
        }
        int bar = name;
        while (bar < to && b[bar] == ' ') {
            bar++;
        }
        if (name == from || bar + 1 >= to || b[bar] != '|' || b[bar + 1] != ' ' || bar == name) {
            return false;
        }
        into.node(from, name);
        into.content(b, bar + 2, to);
        return true;
    }

    private static boolean isNameByte(byte c) {
        byte lower = Slices.lower(c);
        return (lower >= 'a' && lower <= 'z') || Slices.isDigit(c) || c == '-' || c == '_' || c == '.';
    }

    private static boolean syslog(byte[] b, int from, int to, Peeled into) {
        int start = from;
        // octet counting: 231 <134>…
        while (start < to && start - from < 6 && Slices.isDigit(b[start])) {
            start++;
        }
        start = start > from && start + 1 < to && b[start] == ' ' && b[start + 1] == '<' ? start + 1 : from;
        int content = SyslogPrefix.skip(b, start, to);
        if (content == start) {
            return false;
        }
        int at = start;
        if (b[at] == '<') {
            at = Slices.findNear(b, at, to, (byte) '>') + 1;
            at = b[at] == '1' && b[at + 1] == ' ' ? at + 2 : at;
        }
        int stampEnd = isIsoStamp(b, at, to) ? Slices.findNear(b, at, to, (byte) ' ') : at + 15;
        into.stamp(at, stampEnd);
        int host = stampEnd + 1;
        int hostEnd = Slices.findNear(b, host, content, (byte) ' ');
        if (hostEnd > host) {
            into.node(host, hostEnd);
        }
        into.content(b, content, to);
        return true;
    }

    private static boolean stamped(byte[] b, int from, int to, Peeled into) {
        int end = from;
        while (end < to && b[end] != ' ' && b[end] != '\t') {
            end++;
        }
        if (end >= to || !isIsoStamp(b, from, end)) {
            return false;
        }
        into.stamp(from, end);
        into.content(b, end + 1, to);
        return true;
    }

    private boolean json(byte[] b, int from, int to, Peeled into) {
        JsonMembers members = new JsonMembers(b, from, to);
        if (!members.begin()) {
            return false;
        }
        boolean content = false;
        int others = 0;
        while (members.next()) {
            if (members.is("log") && this == DOCKER && members.isText()) {
                into.unescaped(b, members.valueFrom(), members.valueTo());
                content = true;
                boolean feed = into.to > into.from && into.bytes[into.to - 1] == '\n';
                into.continues = !feed;
                into.to -= feed ? 1 : 0;
                into.to -= into.to > into.from && into.bytes[into.to - 1] == '\r' ? 1 : 0;
            } else if (this == DOCKER && (members.is("stream") || members.is("kubernetes"))) {
                others++;
                into.stderr = members.valueIs("stderr");
            } else if (members.is(stampKey) || (this == CLOUDWATCH && members.is("ingestionTime"))) {
                if (into.stampTo == 0) {
                    into.stamp(members.valueFrom(), members.valueTo());
                }
                others += this == JOURNALD || this == LOKI ? 1 : 0;
            } else if (this == JOURNALD && members.is("MESSAGE") && members.isText()) {
                into.unescaped(b, members.valueFrom(), members.valueTo());
                content = true;
            } else if (this == JOURNALD && members.is("_HOSTNAME")) {
                into.node(members.valueFrom(), members.valueTo());
            } else if (this == LOKI && members.is("line") && members.isText()) {
                into.unescaped(b, members.valueFrom(), members.valueTo());
                content = true;
            } else if (this == LOKI && (members.is("labels") || members.is("stream"))) {
                others++;
            } else if (this == LOKI && members.is("values")) {
                content |= onlyEntry(b, members.valueFrom(), members.valueTo(), into);
            } else if (this == CLOUDWATCH && members.is("message") && members.isText()) {
                into.unescaped(b, members.valueFrom(), members.valueTo());
                content = true;
            } else if (this == CLOUDWATCH
                    && (members.is("logStreamName")
                            || members.is("logStream")
                            || members.is("eventId")
                            || members.is("ingestionTime"))) {
                others++;
            } else if (this == ELASTIC && members.is("_source") && !members.isText()) {
                into.content(b, members.valueFrom(), members.valueTo());
                content = true;
            } else if (this == ELASTIC && (members.is("_index") || members.is("_id"))) {
                others++;
            }
        }
        boolean partial = this == DOCKER && into.continues && others == 0;
        return members.whole() && content && others > 0 && !partial;
    }

    /** Key of the carrier's stamp, by ordinal. */
    /** Of {@code [["1796067602124518312","…"]]} the only entry; several in one line cannot each be a row of it. */
    private static boolean onlyEntry(byte[] b, int from, int to, Peeled into) {
        int open = Slices.findNear(b, from, to, (byte) '"');
        int close = open < 0 ? -1 : Slices.findNear(b, open + 1, to, (byte) '"');
        int text = close < 0 ? -1 : Slices.findNear(b, close + 1, to, (byte) '"');
        int end = text < 0 ? -1 : JsonMembers.stringEnd(b, text + 1, to);
        if (end < 0 || Slices.find(b, end + 1, to, (byte) '"') >= 0) {
            return false;
        }
        into.stamp(open + 1, close);
        into.unescaped(b, text + 1, end);
        return true;
    }
}
