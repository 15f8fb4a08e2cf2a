package dev.why429.analyzers.capture;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What a limiter's partition key is, proved by its hash: express-rate-limit 7.5 and later send with the eighth header draft
 * {@code pk=:<base64>:}, the base64 of the first 12 hexadecimal digits of the key's SHA-256 (source: express-rate-limit, headers). Whatever of the
 * request has this hash is the key; it is tried before anything is redacted, and only the name of the field is kept.
 */
final class KeyProof {
    private static final int DIGITS = 12;
    private static final Pattern PK = Pattern.compile("pk=:([A-Za-z0-9+/=]{8,64}):");
    private static final Pattern ADDRESS = Pattern.compile("[0-9a-fA-F:.]+");

    private KeyProof() {}

    /** The field whose value is the key of the limiter: {@code client_ip}, {@code xff_leftmost}, {@code api_key}, {@code header:x-…}. */
    static Optional<String> of(CapturedResponse response) {
        Matcher matcher = PK.matcher(response.header("ratelimit-policy").orElse("")
                + response.header("ratelimit").orElse(""));
        if (!matcher.find()) {
            return Optional.empty();
        }
        String wanted;
        try {
            wanted = new String(Base64.getDecoder().decode(matcher.group(1)), StandardCharsets.US_ASCII);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        if (wanted.length() != DIGITS) {
            return Optional.empty();
        }
        return candidates(response).entrySet().stream()
                .filter(candidate -> hash(candidate.getKey()).equals(wanted))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    /** Values by which a limiter may count, and what they are. */
    private static Map<String, String> candidates(CapturedResponse response) {
        Map<String, String> values = new LinkedHashMap<>();
        response.clientIp().ifPresent(ip -> values.put(ip, "client_ip"));
        response.requestHeaders().forEach((name, list) -> {
            for (String value : list) {
                if (name.equals("x-forwarded-for")) {
                    values.putIfAbsent(value.split(",", -1)[0].strip(), "xff_leftmost");
                }
                String field = name.equals("x-api-key") ? "api_key" : "header:" + name;
                values.putIfAbsent(value, field);
                int blank = value.indexOf(' ');
                if (name.equals("authorization") && blank > 0) {
                    values.putIfAbsent(value.substring(blank + 1).strip(), field);
                }
            }
        });
        response.path().ifPresent(path -> values.putIfAbsent(path.split("\\?", -1)[0], "route"));
        List.copyOf(values.keySet())
                .forEach(value -> networks(value).forEach(net -> values.putIfAbsent(net, "client_net")));
        for (String constant : List.of("global", "all", "default")) {
            values.putIfAbsent(constant, "the constant " + constant);
        }
        return values;
    }

    /** An IPv6 client as express-rate-limit 8 counts it: its network and the length of the prefix, 56 bits unless told otherwise (from memory). */
    static List<String> networks(String address) {
        if (address.indexOf(':') < 0 || address.length() > 45 || !ADDRESS.matches(address)) {
            return List.of();
        }
        byte[] bytes;
        try {
            bytes = InetAddress.getByName(address).getAddress();
        } catch (UnknownHostException e) {
            return List.of();
        }
        return bytes.length == 16 ? List.of(network(bytes, 7) + "/56", network(bytes, 8) + "/64") : List.of();
    }

    /** The rest is zeros, and as the longest run of them it is what is left out (RFC 5952). */
    private static String network(byte[] address, int kept) {
        byte[] bytes = Arrays.copyOf(Arrays.copyOf(address, kept), 16);
        int groups = 4;
        while (groups > 0 && bytes[2 * groups - 2] == 0 && bytes[2 * groups - 1] == 0) {
            groups--;
        }
        return IntStream.range(0, groups)
                        .mapToObj(i -> Integer.toHexString((bytes[2 * i] & 0xff) << 8 | (bytes[2 * i + 1] & 0xff)))
                        .collect(Collectors.joining(":"))
                + "::";
    }

    private static String hash(String key) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest).substring(0, DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
