package dev.why429.analyzers.reconstruct;

import java.util.Arrays;
import java.util.List;

/**
 * What one layer's limiter let through and what it denied, in the order of arrival. Requests that never reached the layer are not here, and a
 * request that only a layer further in denied was allowed here.
 *
 * @param layer cdn, gateway, app or third_party
 * @param component who denied, as attribution names it
 * @param arrivalMicros earliest moment of arrival, micros since 1970 UTC
 * @param uncertaintyMicros how much later it can have arrived; -1: unknown, the stamp is of the end and the duration was not logged
 * @param denied true: denied by this limiter
 * @param keyNames candidate fields of the key, by the names of case-v1
 * @param keyValue a value's number for each field and decision ({@code keyValue[field][decision]}), -1 where the request has none
 * @param node number of the node that decided, -1 unknown
 * @param nodeNames names of the nodes
 * @param file number of the log, for evidence
 * @param line number of the line, for evidence
 * @param excessMilli level of the bucket that nginx wrote beside a denial, thousandths of a request; -1 where there is none
 * @param limitHeader the limit that a quota header promised, -1 where there is none
 * @param remainingHeader what a quota header said is left, -1 where there is none
 * @param windowsDeclared windows that quota policies name, seconds
 * @param keyTexts texts of the values of each field that is named in results, by number; empty for others
 */
@SuppressWarnings(
        "ArrayRecordComponent") // columns, a million decisions long: they are read in place and never compared
public record DecisionLog(
        String layer,
        String component,
        long[] arrivalMicros,
        long[] uncertaintyMicros,
        boolean[] denied,
        List<String> keyNames,
        int[][] keyValue,
        int[] node,
        List<String> nodeNames,
        int[] file,
        long[] line,
        long[] excessMilli,
        int[] limitHeader,
        int[] remainingHeader,
        double[] windowsDeclared,
        List<List<String>> keyTexts) {

    /** A log whose keys' values are numbers only. */
    public DecisionLog(
            String layer,
            String component,
            long[] arrivalMicros,
            long[] uncertaintyMicros,
            boolean[] denied,
            List<String> keyNames,
            int[][] keyValue,
            int[] node,
            List<String> nodeNames,
            int[] file,
            long[] line,
            long[] excessMilli,
            int[] limitHeader,
            int[] remainingHeader,
            double[] windowsDeclared) {
        this(
                layer,
                component,
                arrivalMicros,
                uncertaintyMicros,
                denied,
                keyNames,
                keyValue,
                node,
                nodeNames,
                file,
                line,
                excessMilli,
                limitHeader,
                remainingHeader,
                windowsDeclared,
                List.of());
    }

    /** What a field's value with this number reads. */
    String keyText(int field, int value) {
        return field < keyTexts.size() && value < keyTexts.get(field).size()
                ? keyTexts.get(field).get(value)
                : keyNames.get(field) + " " + value;
    }

    /** A log with neither nodes nor clues; evidence ids are those of one file, one line a decision. */
    public static DecisionLog plain(
            long[] arrivalMicros, long[] uncertaintyMicros, boolean[] denied, List<String> keyNames, int[][] keyValue) {
        int n = denied.length;
        long[] line = new long[n];
        Arrays.setAll(line, i -> i + 1);
        return new DecisionLog(
                "app",
                "unknown",
                arrivalMicros,
                uncertaintyMicros,
                denied,
                keyNames,
                keyValue,
                filled(n, -1),
                List.of(),
                filled(n, 1),
                line,
                filledLong(n, -1),
                filled(n, -1),
                filled(n, -1),
                new double[0]);
    }

    /** The same decisions, made on these nodes. */
    public DecisionLog on(int[] nodes, List<String> names) {
        return new DecisionLog(
                layer,
                component,
                arrivalMicros,
                uncertaintyMicros,
                denied,
                keyNames,
                keyValue,
                nodes,
                names,
                file,
                line,
                excessMilli,
                limitHeader,
                remainingHeader,
                windowsDeclared,
                keyTexts);
    }

    /** Only the decisions that are asked for. */
    public DecisionLog only(boolean[] wanted) {
        int n = 0;
        for (boolean w : wanted) {
            n += w ? 1 : 0;
        }
        int[] at = new int[n];
        int k = 0;
        for (int i = 0; i < wanted.length; i++) {
            if (wanted[i]) {
                at[k++] = i;
            }
        }
        int[][] keys = new int[keyValue.length][];
        for (int f = 0; f < keys.length; f++) {
            keys[f] = pick(keyValue[f], at);
        }
        boolean[] deny = new boolean[n];
        for (int i = 0; i < n; i++) {
            deny[i] = denied[at[i]];
        }
        return new DecisionLog(
                layer,
                component,
                pick(arrivalMicros, at),
                pick(uncertaintyMicros, at),
                deny,
                keyNames,
                keys,
                pick(node, at),
                nodeNames,
                pick(file, at),
                pick(line, at),
                pick(excessMilli, at),
                pick(limitHeader, at),
                pick(remainingHeader, at),
                windowsDeclared,
                keyTexts);
    }

    public int size() {
        return denied.length;
    }

    public int denials() {
        int count = 0;
        for (boolean d : denied) {
            count += d ? 1 : 0;
        }
        return count;
    }

    /** Name of a decision's line in the case: {@code F2:48211}. */
    public String evidence(int decision) {
        return "F" + file[decision] + ":" + line[decision];
    }

    static int[] pick(int[] values, int[] at) {
        int[] picked = new int[at.length];
        Arrays.setAll(picked, i -> values[at[i]]);
        return picked;
    }

    static long[] pick(long[] values, int[] at) {
        long[] picked = new long[at.length];
        Arrays.setAll(picked, i -> values[at[i]]);
        return picked;
    }

    private static int[] filled(int n, int value) {
        int[] all = new int[n];
        Arrays.fill(all, value);
        return all;
    }

    private static long[] filledLong(int n, long value) {
        long[] all = new long[n];
        Arrays.fill(all, value);
        return all;
    }
}
