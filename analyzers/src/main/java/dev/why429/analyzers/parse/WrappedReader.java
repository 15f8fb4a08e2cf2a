package dev.why429.analyzers.parse;

import dev.why429.analyzers.parse.Wrapping.Peeled;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;

/**
 * Peels what a carrier put around each line and hands the line itself to its reader. The carrier's time counts where the line has none, its
 * node where the line names none. A line that goes on in the next one is rejected as {@code continued}, and read whole with its last part.
 * One instance per thread.
 */
final class WrappedReader implements LineReader, Seen, HeaderedReader {
    private static final int NODE = LineValues.ordinal("node");
    private static final int LONGEST_JOINED_BYTES = 256 << 10;

    private final Wrapping wrapping;
    private final LineReader inner;
    private final Stamps outerStamps;
    private final Peeled peeled = new Peeled();
    private final byte[][] pending = {new byte[0], new byte[0]};

    WrappedReader(Wrapping wrapping, LineReader inner, ZoneId zone, Instant reference) {
        this.wrapping = wrapping;
        this.inner = inner;
        outerStamps = new Stamps(zone, reference);
    }

    @Override
    public void header(byte[] bytes, int from, int to) {
        if (inner instanceof HeaderedReader headered) {
            headered.header(bytes, from, to);
        }
    }

    @Override
    public Stamps stamps() {
        Stamps own = ((Seen) inner).stamps();
        return own.everRead() ? own : outerStamps;
    }

    @Override
    public boolean saw(int field) {
        return ((Seen) inner).saw(field);
    }

    @Override
    public boolean read(byte[] bytes, int from, int to, ParsedLine line) {
        if (!wrapping.peel(bytes, from, to, peeled)) {
            return line.reject("not_wrapped");
        }
        int stream = peeled.stderr ? 1 : 0;
        if (peeled.continues || pending[stream].length > 0) {
            byte[] joined = Arrays.copyOf(pending[stream], pending[stream].length + peeled.to - peeled.from);
            System.arraycopy(peeled.bytes, peeled.from, joined, pending[stream].length, peeled.to - peeled.from);
            boolean goesOn = peeled.continues && joined.length < LONGEST_JOINED_BYTES;
            pending[stream] = goesOn ? joined : new byte[0];
            if (goesOn) {
                return line.reject("continued");
            }
            peeled.bytes = joined;
            peeled.from = 0;
            peeled.to = joined.length;
        }
        if (peeled.to <= peeled.from) {
            return line.reject("empty");
        }
        boolean stamped = peeled.stampTo - peeled.stampFrom >= 9
                && outerStamps.read(peeled.source, peeled.stampFrom, peeled.stampTo);
        if (stamped) {
            line.setOuterStamp(outerStamps.micros(), outerStamps.resolutionMicros());
        }
        if (!inner.read(peeled.bytes, peeled.from, peeled.to, line)) {
            return false;
        }
        if (!line.has(NODE) && peeled.nodeTo > peeled.nodeFrom) {
            line.setText(NODE, peeled.source, peeled.nodeFrom, peeled.nodeTo);
        }
        return true;
    }
}
