package dev.why429.analyzers.redact;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Makes tokens: beginnings of HMAC-SHA256 under the run's salt. Plain hashes would not do: all addresses can be tried in minutes. Not for several threads at once. */
final class Tokens {
    static final String IDENTITY_PREFIX = "tok_";

    private static final int IDENTITY_HEX = 12;
    private static final char[] HEX = "0123456789abcdef".toCharArray();

    /**
     * Hexadecimal digits of each part of an address's token. The widest network has 10: among 100,000 networks two share a token with a
     * probability of 0.5 %. Parts below one network need fewer.
     */
    private static final int WIDEST_HEX = 10;

    private static final int PART_HEX = 6;
    private static final int V6_HOST_HEX = 8;

    private final Mac mac;

    Tokens(Salt salt) {
        try {
            mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(salt.key(), "HmacSHA256"));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has HmacSHA256", e);
        }
    }

    String identity(String value) {
        mac.update((byte) 'i');
        return IDENTITY_PREFIX + hex(mac.doFinal(value.getBytes(StandardCharsets.UTF_8)), IDENTITY_HEX);
    }

    /** @param address 4 or 16 bytes */
    String address(byte[] address) {
        StringBuilder token = new StringBuilder(AddressText.PREFIX);
        if (address.length == 4) {
            token.append(part(address, 3, WIDEST_HEX)).append('.').append(part(address, 4, PART_HEX));
        } else {
            token.append(part(address, 6, WIDEST_HEX))
                    .append('.')
                    .append(part(address, 7, PART_HEX))
                    .append('.')
                    .append(part(address, 8, PART_HEX))
                    .append('.')
                    .append(part(address, 16, V6_HOST_HEX));
        }
        return token.append(AddressClass.of(address).suffix()).toString();
    }

    private String part(byte[] address, int bytes, int digits) {
        mac.update((byte) 'a');
        mac.update((byte) address.length);
        return hex(mac.doFinal(Arrays.copyOf(address, bytes)), digits);
    }

    private static String hex(byte[] bytes, int digits) {
        char[] out = new char[digits];
        for (int i = 0; i < digits; i++) {
            int shift = (i & 1) == 0 ? 4 : 0;
            out[i] = HEX[(bytes[i / 2] >> shift) & 15];
        }
        return new String(out);
    }
}
