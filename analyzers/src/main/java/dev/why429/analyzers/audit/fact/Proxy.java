package dev.why429.analyzers.audit.fact;

import dev.why429.analyzers.audit.Place;
import java.util.List;

/**
 * Something in front of the application that connects in the client's place.
 *
 * @param what in words: {@code an Ingress}
 * @param serves names of the services behind it, as far as they are told
 */
public record Proxy(Kind kind, String what, List<String> serves, Place place) {
    public enum Kind {
        INGRESS,
        REVERSE_PROXY,
        CDN,
        /** a balancer below HTTP that replaces the source address */
        ADDRESS_TRANSLATION
    }
}
