package dev.why429.cli;

/** The program's version. */
public final class Version {
    private Version() {}

    /** As the jar's manifest has it; {@code development} when run from class folders. */
    public static String current() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
