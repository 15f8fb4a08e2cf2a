package dev.why429.analyzers.replay;

import dev.why429.analyzers.InputProblem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * Traffic as {@code --traffic} describes it: {@code poisson:50/s,burst=200,every=60s,for=300s,clients=5,seed=1}. All clients together send at the
 * rate; each burst is sent at once by one client, each in turn. The same text is the same traffic.
 */
public final class InventedTraffic {
    private static final Set<String> OPTIONS = Set.of("burst", "every", "for", "clients", "seed");
    private static final long START_MICROS = 1_767_225_600_000_000L; // 2026-01-01T00:00:00Z
    private static final int MOST = 5_000_000;

    private InventedTraffic() {}

    /**
     * @throws InputProblem (usage) with everything that is wrong with the text
     */
    public static RequestStream parse(String text) {
        List<String> problems = new ArrayList<>();
        int colon = text.indexOf(':');
        String shape = colon < 0 ? text : text.substring(0, colon);
        if (!shape.equals("poisson") && !shape.equals("even")) {
            problems.add("\"" + shape + "\" is no traffic; expected poisson:50/s or even:50/s");
        }
        String[] parts =
                colon < 0 ? new String[] {""} : text.substring(colon + 1).split(",", -1);
        double perSecond = rate(parts[0], problems);
        Map<String, String> options = new LinkedHashMap<>();
        for (String part : Arrays.asList(parts).subList(1, parts.length)) {
            int equals = part.indexOf('=');
            String name = equals < 0 ? part : part.substring(0, equals);
            if (!OPTIONS.contains(name) || equals == part.length() - 1 || equals < 0) {
                problems.add("\"" + part + "\" of the traffic \"" + text
                        + "\" is no option; expected burst=200, every=60s, for=300s, clients=5 or seed=1");
            } else {
                options.put(name, part.substring(equals + 1));
            }
        }
        long burst = whole(options, "burst", 0, problems);
        long clients = whole(options, "clients", 1, problems);
        long seed = whole(options, "seed", 1, problems);
        double every = seconds(options, "every", 60, problems);
        double length = seconds(options, "for", 300, problems);
        if (clients < 1 || clients > 1_000_000) {
            problems.add("\"" + clients + "\" is no number of clients; expected 1 to 1000000");
        }
        if (perSecond * length + burst * (length / every + 1) > MOST) {
            problems.add("the traffic \"" + text + "\" is more than 5 million requests; shorten it with for=60s");
        }
        if (!problems.isEmpty()) {
            throw new InputProblem(InputProblem.Kind.USAGE, problems);
        }
        return make(shape.equals("poisson"), perSecond, burst, every, length, (int) clients, seed);
    }

    private static RequestStream make(
            boolean poisson, double perSecond, long burst, double every, double length, int clients, long seed) {
        Random random = new Random(seed);
        RequestStream.Builder stream = new RequestStream.Builder();
        double nextBurst = burst > 0 ? every / 2 : Double.MAX_VALUE;
        int bursts = 0;
        double at = 0;
        while (at < length) {
            double next = at + (poisson ? -Math.log(1 - random.nextDouble()) : 1) / perSecond;
            while (nextBurst <= Math.min(next, length)) {
                for (int i = 0; i < burst; i++) {
                    stream.add(micros(nextBurst), "client=" + (bursts % clients + 1), 1, false);
                }
                bursts++;
                nextBurst += every;
            }
            at = next;
            if (at < length) {
                stream.add(micros(at), "client=" + (random.nextInt(clients) + 1), 1, false);
            }
        }
        return stream.build();
    }

    /** The same requests as a policy counts them: by client, or all together; each costs what the policy says for any path. */
    public static RequestStream under(RequestStream requests, Policy policy) {
        RequestStream.Keys keys = new RequestStream.Keys(policy.keys().size());
        for (int i = 0; i < requests.size(); i++) {
            for (int which = 0; which < policy.keys().size(); which++) {
                boolean global = policy.keys().get(which).parts().isEmpty();
                keys.key(which, global ? "global" : requests.keyNames().get(requests.keyId(i)));
            }
            keys.cost(Math.toIntExact(Math.min(Integer.MAX_VALUE, policy.costs().otherwise())));
        }
        return keys.with(requests.arrivals());
    }

    private static long micros(double seconds) {
        return START_MICROS + Math.round(seconds * 1e6);
    }

    private static double rate(String text, List<String> problems) {
        try {
            return 1e6 * PolicyParser.requestsPerMicro(text);
        } catch (IllegalArgumentException e) {
            problems.add("\"" + text + "\" is no rate; expected a number per time, such as 50/s or 100/m");
            return 1;
        }
    }

    private static double seconds(Map<String, String> options, String name, double otherwise, List<String> problems) {
        String text = options.get(name);
        if (text == null) {
            return otherwise;
        }
        return PolicyParser.micros(text, false).map(micros -> micros / 1e6).orElseGet(() -> {
            problems.add("\"" + text + "\" is no duration for " + name + "; expected a number and ms, s, m, h or d");
            return otherwise;
        });
    }

    private static long whole(Map<String, String> options, String name, long otherwise, List<String> problems) {
        String text = options.get(name);
        if (text == null) {
            return otherwise;
        }
        if (text.length() <= 9 && text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return Long.parseLong(text);
        }
        problems.add("\"" + text + "\" is no whole number for " + name);
        return otherwise;
    }
}
