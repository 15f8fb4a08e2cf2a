package dev.why429.analyzers.audit.fact;

import dev.why429.analyzers.audit.Place;

/** What a limiter counts by. */
public record Key(Source source, String text, Place place) {
    /** Where the value of a key comes from. */
    public enum Source {
        /** the address that the framework takes for the client's: the peer, or a forwarded one where proxies are trusted */
        FRAMEWORK_ADDRESS,
        /** the address at the other end of the connection, whatever is forwarded */
        PEER_ADDRESS,
        /** the first address of X-Forwarded-For: what the caller wrote */
        LEFTMOST_FORWARDED,
        /** the whole X-Forwarded-For */
        WHOLE_FORWARDED,
        /** X-Real-IP, CF-Connecting-IP and the like, taken from the request */
        ADDRESS_HEADER,
        /** a header under a name that the framework never has */
        IMPOSSIBLE_HEADER,
        /** a user, an API key, a tenant */
        IDENTITY,
        CONSTANT,
        UNKNOWN
    }

    public boolean isAddress() {
        return switch (source) {
            case FRAMEWORK_ADDRESS, PEER_ADDRESS, LEFTMOST_FORWARDED, WHOLE_FORWARDED, ADDRESS_HEADER -> true;
            default -> false;
        };
    }
}
