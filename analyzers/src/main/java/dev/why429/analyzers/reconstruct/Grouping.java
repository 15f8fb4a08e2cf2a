package dev.why429.analyzers.reconstruct;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Which decisions share a bucket if a key is counted.
 *
 * @param fields the key, sorted; empty: one bucket for everybody
 * @param perNode whether every node has buckets of its own
 * @param group a bucket's number for each decision, numbered by first appearance; -1 where the request lacks the key and so is not limited
 * @param groups number of buckets
 * @param priorBits what it costs to name this key: unusual ones must explain more
 * @param same other keys that group these decisions identically
 */
@SuppressWarnings("ArrayRecordComponent") // one number per decision
record Grouping(
        List<String> fields, boolean perNode, int[] group, int groups, double priorBits, List<List<String>> same) {

    static Grouping of(List<String> fields, boolean perNode, long[] ids, double priorBits) {
        int[] group = new int[ids.length];
        LongIndex index = new LongIndex(64);
        for (int i = 0; i < ids.length; i++) {
            group[i] = ids[i] < 0 ? -1 : index.of(ids[i]);
        }
        return new Grouping(
                fields.stream().sorted().toList(), perNode, group, index.size(), priorBits, new ArrayList<>());
    }

    /** Buckets of this key, for each node its own. */
    Grouping onEachNode(int[] node) {
        long[] ids = new long[group.length];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = group[i] < 0 ? -1 : ((long) group[i] << 24) + node[i] + 1;
        }
        Grouping split = of(fields, true, ids, priorBits + 2);
        split.same.addAll(same);
        return split;
    }

    /** The same key over some of the decisions. */
    Grouping only(boolean[] wanted) {
        int n = 0;
        for (boolean w : wanted) {
            n += w ? 1 : 0;
        }
        long[] ids = new long[n];
        int k = 0;
        for (int i = 0; i < wanted.length; i++) {
            if (wanted[i]) {
                ids[k++] = group[i];
            }
        }
        return of(fields, perNode, ids, priorBits);
    }

    boolean isKey(Grouping other) {
        return perNode == other.perNode && fields.equals(other.fields);
    }

    boolean groupsLike(Grouping other) {
        return groups == other.groups && Arrays.equals(group, other.group);
    }

    /** How many decisions have no key. */
    int without() {
        int n = 0;
        for (int g : group) {
            n += g < 0 ? 1 : 0;
        }
        return n;
    }

    /** Numbers for long values in the order of their first appearance; open addressing, no boxing. */
    private static final class LongIndex {
        private long[] keys;
        private int[] values;
        private int size;

        LongIndex(int capacity) {
            keys = new long[capacity];
            values = new int[capacity];
            Arrays.fill(values, -1);
        }

        int size() {
            return size;
        }

        int of(long key) {
            if (size * 2 >= keys.length) {
                grow();
            }
            int at = slot(key);
            if (values[at] < 0) {
                keys[at] = key;
                values[at] = size++;
            }
            return values[at];
        }

        private int slot(long key) {
            int mask = keys.length - 1;
            int at = (int) ((key * 0x9E3779B97F4A7C15L) >>> 32) & mask;
            while (values[at] >= 0 && keys[at] != key) {
                at = (at + 1) & mask;
            }
            return at;
        }

        private void grow() {
            long[] oldKeys = keys;
            int[] oldValues = values;
            keys = new long[oldKeys.length * 2];
            values = new int[oldKeys.length * 2];
            Arrays.fill(values, -1);
            for (int i = 0; i < oldKeys.length; i++) {
                if (oldValues[i] >= 0) {
                    int at = slot(oldKeys[i]);
                    keys[at] = oldKeys[i];
                    values[at] = oldValues[i];
                }
            }
        }
    }
}
