package dev.why429.analyzers.redact;

import dev.why429.analyzers.InvestigationRequest.RedactMode;
import dev.why429.analyzers.parse.ParsedLine;
import dev.why429.rules.Field;
import dev.why429.rules.Field.Redaction;
import dev.why429.rules.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** The redactor of one thread: remembers what the last values became, so that a line costs little. */
public final class LineRedactor {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long HIGHS = 0x8080808080808080L;

    private final RedactMode mode;
    private final Tokens tokens;
    private final Scrubber scrubber;
    private final HeaderScrubber headerScrubber;
    private final Redaction[] redactions;
    private final Caches caches;
    private final UnaryOperator<byte[]> toAddress;
    private final UnaryOperator<byte[]> toAddressList;
    private final UnaryOperator<byte[]> toIdentity;
    private final UnaryOperator<byte[]> toUrl;
    private final UnaryOperator<byte[]> toText;

    /** Of all threads of one redactor; some 40 MB when full. */
    static final class Caches {
        private final SliceCache addresses = new SliceCache(1 << 17, 64);
        private final SliceCache addressLists = new SliceCache(1 << 14, 256);
        private final SliceCache keys = new SliceCache(1 << 14, 256);
        private final SliceCache identities = new SliceCache(1 << 15, 128);
        private final SliceCache urls = new SliceCache(1 << 16, 256);
        private final SliceCache texts = new SliceCache(1 << 13, 512);
    }

    LineRedactor(RedactMode mode, Salt salt, Caches caches) {
        this.mode = mode;
        tokens = new Tokens(salt);
        scrubber = new Scrubber(tokens);
        headerScrubber = new HeaderScrubber(scrubber, tokens, mode == RedactMode.STRICT);
        redactions = Fields.dictionary().all().stream().map(this::redactionOf).toArray(Redaction[]::new);
        this.caches = caches;
        toAddress = bytes -> scrubbed(bytes, scrubber::address);
        toAddressList = bytes -> scrubbed(bytes, scrubber::addressList);
        toIdentity = bytes -> scrubbed(bytes, tokens::identity);
        toUrl = bytes -> scrubbed(bytes, this::url);
        toText = bytes -> scrubbed(bytes, scrubber::text);
    }

    /** In strict mode also what tells a person's device, and the hosts, become tokens. */
    private Redaction redactionOf(Field field) {
        boolean more = mode == RedactMode.STRICT
                && List.of("user_agent", "host", "referer").contains(field.name());
        return mode == RedactMode.OFF ? Redaction.NONE : more ? Redaction.IDENTITY : field.redaction();
    }

    private static byte[] scrubbed(byte[] bytes, UnaryOperator<String> scrub) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        String scrubbed = scrub.apply(text);
        return scrubbed.equals(text) && ascii(bytes) ? bytes : scrubbed.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * What is to be stored of a text field: valid UTF-8, wrong bytes replaced by U+FFFD.
     *
     * @return not to be changed: the same array may be given again
     */
    public byte[] stored(int field, ParsedLine line) {
        byte[] bytes = line.source(field);
        int from = line.from(field);
        int to = line.to(field);
        return switch (redactions[field]) {
            case NONE -> valid(bytes, from, to);
            case ADDRESS -> caches.addresses.get(bytes, from, to, toAddress);
            case ADDRESS_LIST -> caches.addressLists.get(bytes, from, to, toAddressList);
            case IDENTITY -> caches.identities.get(bytes, from, to, toIdentity);
            case URL -> caches.urls.get(bytes, from, to, toUrl);
            case TEXT -> caches.texts.get(bytes, from, to, toText);
            case KEY -> caches.keys.get(bytes, from, to, toAddressList);
            case HEADERS -> scrubbed(Arrays.copyOfRange(bytes, from, to), headerScrubber::json);
        };
    }

    /** A line that could not be read, for the person to see. */
    public String rejected(byte[] bytes, int from, int to) {
        return text(new String(bytes, from, to - from, StandardCharsets.UTF_8));
    }

    private static byte[] valid(byte[] bytes, int from, int to) {
        byte[] copy = Arrays.copyOfRange(bytes, from, to);
        return ascii(copy) ? copy : new String(copy, StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_8);
    }

    private static boolean ascii(byte[] bytes) {
        int i = 0;
        for (; i + 8 <= bytes.length; i += 8) {
            if (((long) LONG.get(bytes, i) & HIGHS) != 0) {
                return false;
            }
        }
        for (; i < bytes.length; i++) {
            if (bytes[i] < 0) {
                return false;
            }
        }
        return true;
    }

    Map<String, List<String>> headers(Map<String, List<String>> headers) {
        return mode == RedactMode.OFF ? headers : headerScrubber.headers(headers);
    }

    String text(String text) {
        return mode == RedactMode.OFF ? text : scrubber.text(text);
    }

    String address(String address) {
        return mode == RedactMode.OFF ? address : scrubber.address(address);
    }

    String addressList(String list) {
        return mode == RedactMode.OFF ? list : scrubber.addressList(list);
    }

    String identity(String identity) {
        return mode == RedactMode.OFF ? identity : tokens.identity(identity);
    }

    String url(String url) {
        if (mode == RedactMode.OFF) {
            return url;
        }
        String scrubbed = scrubber.url(url);
        return mode == RedactMode.STRICT ? withoutIds(scrubbed) : scrubbed;
    }

    /** {@code /v1/orders/8812?page=3} as {@code /v1/orders/tok_…?page=[redacted]}: segments with a digit, but for versions. */
    private String withoutIds(String url) {
        int question = url.indexOf('?');
        String path = question < 0 ? url : url.substring(0, question);
        StringBuilder out = new StringBuilder();
        for (String segment : path.split("/", -1)) {
            boolean id = segment.chars().anyMatch(c -> c >= '0' && c <= '9') && !segment.matches("v[0-9.]{1,8}");
            out.append(id && !segment.startsWith(Tokens.IDENTITY_PREFIX) ? tokens.identity(segment) : segment)
                    .append('/');
        }
        out.setLength(Math.max(0, out.length() - 1));
        if (question >= 0) {
            out.append('?');
            String separator = "";
            for (String pair : url.substring(question + 1).split("&", -1)) {
                int equals = pair.indexOf('=');
                out.append(separator)
                        .append(equals < 0 ? Scrubber.REDACTED : pair.substring(0, equals + 1) + Scrubber.REDACTED);
                separator = "&";
            }
        }
        return out.toString();
    }
}
