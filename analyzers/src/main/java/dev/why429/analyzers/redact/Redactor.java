package dev.why429.analyzers.redact;

import dev.why429.analyzers.InvestigationRequest.RedactMode;
import java.util.List;
import java.util.Map;

/**
 * Makes values harmless before they are stored: secrets gone, who asked as a keyed token, addresses as tokens that still group by network.
 * Whatever needs the raw value (an address's class is kept by its token; a CDN's range, the proof of a partition key) is derived before.
 */
public final class Redactor {
    private final RedactMode mode;
    private final Salt salt;
    private final LineRedactor.Caches caches = new LineRedactor.Caches();
    private final ThreadLocal<LineRedactor> ofThread;

    public Redactor(RedactMode mode, Salt salt) {
        this.mode = mode;
        this.salt = salt;
        ofThread = ThreadLocal.withInitial(this::forThread);
    }

    /** Changes nothing. */
    public static Redactor off() {
        return new Redactor(RedactMode.OFF, Salt.random());
    }

    public RedactMode mode() {
        return mode;
    }

    public Salt salt() {
        return salt;
    }

    /** For a thread that has many lines; not to be shared. */
    public LineRedactor forThread() {
        return new LineRedactor(mode, salt, caches);
    }

    /** @param headers names in lower case, each with its values */
    public Map<String, List<String>> headers(Map<String, List<String>> headers) {
        return ofThread.get().headers(headers);
    }

    /** Free text, a body or a message: secrets, e-mails, card numbers and addresses taken out. */
    public String text(String text) {
        return ofThread.get().text(text);
    }

    /** {@code 203.0.113.7} as {@code ip_1f9a0c22b7.03be41~documentation}; see {@link AddressText}. */
    public String address(String address) {
        return ofThread.get().address(address);
    }

    /** {@code X-Forwarded-For} or {@code Forwarded}, whole and in order. */
    public String addressList(String list) {
        return ofThread.get().addressList(list);
    }

    /** A key, a user or a tenant as {@code tok_…}: equal values have equal tokens within one salt. */
    public String identity(String identity) {
        return ofThread.get().identity(identity);
    }

    /** A request target or URL: secrets in its query string taken out. */
    public String url(String url) {
        return ofThread.get().url(url);
    }
}
