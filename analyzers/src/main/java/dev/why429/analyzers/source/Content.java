package dev.why429.analyzers.source;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/** Where the bytes of a source come from. */
public interface Content {
    /** The whole text from its beginning; what can be read but once (a pipe) is given but once. */
    SourceStream open() throws IOException;

    /**
     * The beginning of the text, to recognise it by; may be asked for before {@link #open}.
     *
     * @param atMost more is not returned; a pipe gives less
     */
    byte[] head(int atMost) throws IOException;

    /** When the file was last written to; empty for a pipe. */
    default Optional<Instant> lastModified() {
        return Optional.empty();
    }

    /** Size on the disk; empty for a pipe. */
    OptionalLong sizeBytes();

    /** A file, which can be read again. */
    record OfFile(String name, Path file) implements Content {
        @Override
        public SourceStream open() throws IOException {
            return SourceStream.open(name, Files.newInputStream(file));
        }

        @Override
        public byte[] head(int atMost) throws IOException {
            try (SourceStream stream = open()) {
                return stream.readNBytes(atMost);
            }
        }

        @Override
        public Optional<Instant> lastModified() {
            try {
                return Optional.of(Files.getLastModifiedTime(file).toInstant());
            } catch (IOException e) {
                return Optional.empty();
            }
        }

        @Override
        public OptionalLong sizeBytes() {
            try {
                return OptionalLong.of(Files.size(file));
            } catch (IOException e) {
                return OptionalLong.empty();
            }
        }
    }

    /** A pipe: its beginning is kept, so that it can be recognised and then read whole. */
    final class OfPipe implements Content {
        private static final int KEPT_BYTES = 256 << 10;

        private final String name;
        private final InputStream in;
        private byte[] kept;
        private boolean opened;

        OfPipe(String name, InputStream in) {
            this.name = name;
            this.in = in;
        }

        private byte[] kept() throws IOException {
            if (kept == null) {
                kept = in.readNBytes(KEPT_BYTES);
            }
            return kept;
        }

        @Override
        public synchronized SourceStream open() throws IOException {
            if (opened) {
                throw new IOException("\"" + name + "\" is a pipe and was already read");
            }
            opened = true;
            return SourceStream.open(name, new SequenceInputStream(new ByteArrayInputStream(kept()), in));
        }

        @Override
        public synchronized byte[] head(int atMost) throws IOException {
            try (SourceStream stream = SourceStream.open(name, new ByteArrayInputStream(kept()))) {
                return stream.readNBytes(atMost);
            }
        }

        @Override
        public OptionalLong sizeBytes() {
            return OptionalLong.empty();
        }
    }
}
