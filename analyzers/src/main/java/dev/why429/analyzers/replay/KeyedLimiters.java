package dev.why429.analyzers.replay;

import java.util.ArrayList;
import java.util.List;

/** The twins of a policy, one for each key that comes up. */
final class KeyedLimiters {
    private final Policy policy;
    private final RequestStream requests;
    private final boolean layered;
    private final boolean timed;
    private final long[] parameters;
    private final Limiter[] single;
    private final TokenBucket[][] shared;

    KeyedLimiters(Policy policy, RequestStream requests) {
        this.policy = policy;
        this.requests = requests;
        this.layered = policy.limiter().equals("layered");
        this.timed = policy.needsDuration();
        this.parameters = policy.parameters();
        this.single = new Limiter[layered ? 0 : requests.keyNames().size()];
        this.shared = new TokenBucket[layered ? requests.keysEach() : 0][];
        for (int which = 0; which < shared.length; which++) {
            shared[which] = new TokenBucket[requests.keyNames(which).size()];
        }
    }

    Limiter of(int request) {
        if (layered) {
            return new Layered(buckets(request));
        }
        int key = requests.keyId(request);
        if (single[key] == null) {
            single[key] = policy.newLimiter();
        }
        if (timed) {
            single[key].change(parameters[0], hold(requests, request));
        }
        return single[key];
    }

    /** How long a request holds its place; a microsecond where its duration is unknown. */
    static long hold(RequestStream requests, int request) {
        return Math.max(1, requests.arrivals().duration[request]);
    }

    private List<TokenBucket> buckets(int request) {
        List<TokenBucket> buckets = new ArrayList<>(shared.length);
        for (int which = 0; which < shared.length; which++) {
            int key = requests.keyId(request, which);
            if (shared[which][key] == null) {
                shared[which][key] = new TokenBucket(Layered.of(parameters, which));
            }
            buckets.add(shared[which][key]);
        }
        return buckets;
    }
}
