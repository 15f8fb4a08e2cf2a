package dev.why429.analyzers.audit.pitfall;

import static dev.why429.analyzers.audit.pitfall.Findings.related;

import dev.why429.analyzers.audit.Place;
import dev.why429.analyzers.audit.fact.Facts;
import dev.why429.analyzers.audit.fact.Key;
import dev.why429.analyzers.audit.fact.Limiter;
import dev.why429.analyzers.audit.fact.Proxy;
import dev.why429.analyzers.audit.fact.TrustSetting;
import dev.why429.analyzers.audit.fact.TrustSetting.Extent;
import dev.why429.rules.Pitfall.Severity;
import java.util.List;
import java.util.Optional;

/** Keys that are addresses: the proxy's instead of the client's, one that the caller writes, one that is never there. */
final class AddressKeys implements PitfallCheck {
    @Override
    public void look(Facts facts, Findings findings) {
        for (Limiter limiter : facts.limiters()) {
            String technology = "code";
            switch (limiter.key().source()) {
                case FRAMEWORK_ADDRESS -> framework(facts, findings, technology, limiter);
                case PEER_ADDRESS -> collapse(facts, findings, technology, limiter, Optional.empty());
                case LEFTMOST_FORWARDED, ADDRESS_HEADER -> written(facts, findings, technology, limiter);
                case WHOLE_FORWARDED -> {
                    if (facts.overwritesForwarded().isEmpty()) {
                        findings.report(
                                technology,
                                "key-whole-xff",
                                "the key is the whole X-Forwarded-For: one client has as many keys as there are paths to us, and can make new ones",
                                keyPlace(limiter),
                                related(limiter.place(), "the limiter"));
                    }
                }
                case IMPOSSIBLE_HEADER ->
                    findings.report(
                            technology,
                            "key-header-name",
                            "a header is looked up under a name that is never there, so the key falls back to the proxy's address",
                            keyPlace(limiter),
                            related(limiter.place(), "the limiter"));
                default -> {}
            }
        }
    }

    private static Place keyPlace(Limiter limiter) {
        return limiter.key().place();
    }

    private static void framework(Facts facts, Findings findings, String technology, Limiter limiter) {
        Optional<TrustSetting> trust =
                facts.trust().stream().filter(t -> t.extent() != Extent.NOBODY).findFirst();
        if (trust.isEmpty()) {
            collapse(
                    facts, findings, technology, limiter, facts.trust().stream().findFirst());
        } else if (trust.get().hops().orElse(0) == 1) {
            oneHopShort(facts, findings, technology, limiter, trust.get());
        } else if (trust.get().extent() == Extent.EVERYBODY
                && facts.overwritesForwarded().isEmpty()) {
            findings.report(
                    technology,
                    "key-spoofable",
                    "every proxy is believed (" + trust.get().value() + "), so the key is the leftmost X-Forwarded-For "
                            + "entry, which the caller writes: a new value is a new bucket",
                    keyPlace(limiter),
                    related(trust.get().place(), "trusts everybody"),
                    related(limiter.place(), "the limiter"));
        }
    }

    /** One hop is believed, and two stand in front: the address that is left is the outer one's. */
    private static void oneHopShort(
            Facts facts, Findings findings, String technology, Limiter limiter, TrustSetting trust) {
        Optional<Proxy> edge = facts.surroundings().proxies().stream()
                .filter(p -> p.kind() == Proxy.Kind.CDN)
                .findFirst();
        Optional<Proxy> inner = facts.surroundings().proxies().stream()
                .filter(p -> p.kind() != Proxy.Kind.CDN)
                .findFirst();
        if (edge.isPresent() && inner.isPresent()) {
            findings.report(
                    technology,
                    "key-hop-mismatch",
                    "one proxy is believed (" + trust.value() + "), and two stand in front, "
                            + edge.get().what() + " ("
                            + edge.get().place() + ") and " + inner.get().what() + " ("
                            + inner.get().place()
                            + "): the key is an address of " + edge.get().what()
                            + ", shared by all who come through it",
                    trust.place(),
                    related(edge.get().place(), edge.get().what()),
                    related(inner.get().place(), inner.get().what()),
                    related(limiter.place(), "the limiter"));
        }
    }

    private static void collapse(
            Facts facts, Findings findings, String technology, Limiter limiter, Optional<TrustSetting> nobody) {
        Optional<Proxy> proxy = facts.surroundings().inFrontOf(limiter.place());
        if (proxy.isEmpty()) {
            return;
        }
        String trust = limiter.key().source() == Key.Source.PEER_ADDRESS
                ? "it is the socket's peer"
                : nobody.map(t -> "proxies are not believed (" + t.place() + ")")
                        .orElse("no proxy is ever believed");
        findings.report(
                technology,
                "key-proxy-collapse",
                Severity.HIGH,
                "the key is " + limiter.key().text() + ", " + trust + ", and "
                        + proxy.get().place() + " puts " + proxy.get().what()
                        + " in front: all clients share one bucket of " + limiter.budget(),
                keyPlace(limiter),
                List.of(related(proxy.get().place(), proxy.get().what()), related(limiter.place(), "the limiter")));
    }

    private static void written(Facts facts, Findings findings, String technology, Limiter limiter) {
        if (facts.overwritesForwarded().isPresent()) {
            return;
        }
        boolean leftmost = limiter.key().source() == Key.Source.LEFTMOST_FORWARDED;
        findings.report(
                technology,
                "key-spoofable",
                leftmost ? Severity.HIGH : Severity.MEDIUM,
                (leftmost
                                ? "the key is the leftmost X-Forwarded-For entry"
                                : "the key is an address header of the request")
                        + ", which the caller writes: a new value is a new bucket",
                keyPlace(limiter),
                List.of(related(limiter.place(), "the limiter")));
    }
}
