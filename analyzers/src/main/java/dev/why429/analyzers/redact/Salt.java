package dev.why429.analyzers.redact;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;

/** The key of all tokens of one run. Whoever has it can test guesses, so it stays with the person and never goes into a report. */
public final class Salt {
    static final int BYTES = 32;

    private final byte[] key;

    private Salt(byte[] key) {
        this.key = key;
    }

    public static Salt random() {
        byte[] key = new byte[BYTES];
        new SecureRandom().nextBytes(key);
        return new Salt(key);
    }

    /**
     * Reads a salt that {@link #write} wrote, or any secret of at least 16 bytes; runs with the same salt give the same tokens.
     *
     * @throws IOException when it cannot be read or is too short, with a whole sentence
     */
    public static Salt read(Path file) throws IOException {
        byte[] bytes;
        try {
            if (Files.size(file) > 4096) {
                throw new IOException(
                        "the salt file \"" + file + "\" is longer than 4096 bytes; is it the right file?");
            }
            bytes = Files.readAllBytes(file);
        } catch (java.nio.file.NoSuchFileException e) {
            throw new IOException("the salt file \"" + file + "\" does not exist", e);
        }
        String text = new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1).strip();
        if (text.matches("[0-9a-f]{64}")) {
            return new Salt(HexFormat.of().parseHex(text));
        }
        if (bytes.length < 16) {
            throw new IOException("the salt file \"" + file + "\" holds " + bytes.length
                    + " bytes; expected at least 16, better 64 hexadecimal digits");
        }
        return new Salt(bytes);
    }

    /** Writes it as 64 hexadecimal digits, readable by its owner only (where the file system knows owners). */
    public void write(Path file) throws IOException {
        Files.deleteIfExists(file);
        boolean posix = Files.getFileStore(file.toAbsolutePath().getParent()).supportsFileAttributeView("posix");
        if (posix) {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        } else {
            Files.createFile(file);
        }
        Files.writeString(
                file,
                HexFormat.of().formatHex(key) + "\n",
                Set.of(StandardOpenOption.WRITE).toArray(StandardOpenOption[]::new));
    }

    byte[] key() {
        return key;
    }
}
