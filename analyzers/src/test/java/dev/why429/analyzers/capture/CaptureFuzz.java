package dev.why429.analyzers.capture;

import java.io.ByteArrayInputStream;
import java.io.IOException;

/** Any bytes as a captured response: responses and problems, and nothing is thrown. */
public final class CaptureFuzz {
    private CaptureFuzz() {}

    public static void fuzzerTestOneInput(byte[] data) throws IOException {
        CaptureReader.recognise(data);
        CaptureReader.read(new ByteArrayInputStream(data), "fuzz");
    }
}
