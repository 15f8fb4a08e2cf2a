package dev.why429.analyzers.audit.fact;

import dev.why429.analyzers.audit.Place;
import dev.why429.analyzers.audit.read.Code;
import dev.why429.analyzers.audit.read.NginxReader.Directive;
import dev.why429.analyzers.audit.read.Sources;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What the audited files say, in the words that pitfalls are told in. */
public final class Facts {
    private final Sources sources;
    private final Surroundings surroundings;
    private final List<Limiter> limiters = new ArrayList<>();
    private final List<TrustSetting> trust = new ArrayList<>();

    public Facts(Sources sources) {
        this.sources = sources;
        this.surroundings = SurroundingsReader.read(sources);
        for (Code code : sources.codes()) {
            limiters.addAll(LibraryLimiters.of(code));
            limiters.addAll(OwnLimiters.of(code));
            trust.addAll(TrustSetting.in(code));
        }
    }

    public Sources sources() {
        return sources;
    }

    public Surroundings surroundings() {
        return surroundings;
    }

    public List<Limiter> limiters() {
        return limiters;
    }

    /** Limiters of one library. */
    public List<Limiter> limiters(String library) {
        return limiters.stream().filter(l -> l.library().equals(library)).toList();
    }

    public List<TrustSetting> trust() {
        return trust;
    }

    /** A proxy of ours that replaces what the caller wrote into X-Forwarded-For, or takes it away. */
    public Optional<Place> overwritesForwarded() {
        List<Place> found = new ArrayList<>();
        for (Sources.Blocks blocks : sources.nginx()) {
            for (Directive top : blocks.directives()) {
                top.walk(d -> {
                    if (d.name().equals("proxy_set_header")
                            && d.word(0).equalsIgnoreCase("X-Forwarded-For")
                            && !d.word(1).contains("proxy_add_x_forwarded_for")
                            && !d.word(1).contains("http_x_forwarded_for")) {
                        found.add(d.place());
                    }
                });
            }
        }
        return found.stream().findFirst();
    }
}
