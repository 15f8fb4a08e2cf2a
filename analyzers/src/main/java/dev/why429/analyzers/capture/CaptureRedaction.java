package dev.why429.analyzers.capture;

import java.util.List;
import java.util.Map;

/** What a capture needs of the redaction at the door. */
public interface CaptureRedaction {
    /** Leaves everything as it was captured. */
    CaptureRedaction NONE = new CaptureRedaction() {
        @Override
        public Map<String, List<String>> headers(Map<String, List<String>> headers) {
            return headers;
        }

        @Override
        public String text(String text) {
            return text;
        }

        @Override
        public String address(String address) {
            return address;
        }

        @Override
        public String url(String url) {
            return url;
        }
    };

    /** @param headers names in lower case */
    Map<String, List<String>> headers(Map<String, List<String>> headers);

    /** Free text, a body say, without secrets and addresses. */
    String text(String text);

    String address(String address);

    /** A path with its query, without secrets in it. */
    String url(String url);
}
