package dev.why429.analyzers;

import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What to investigate and how.
 *
 * @param inputs files, folders, globs or {@code -}
 * @param sourcesFile the YAML file of {@code --sources}
 * @param as hints of {@code --as}, in the order given; they win over the sources file
 * @param logFormat a format's id or a log_format string, for files that nothing else describes
 * @param caseFolder where the result goes
 * @param force replace an existing case
 * @param zone for stamps that bear no zone; empty means UTC with a warning
 * @param declared what was promised, as given: {@code 1200/min by api_key}
 * @param identity further names of identity fields: {@code header:x-client → api_key}
 * @param redisUri how to reach Redis: an address, {@code embedded}, or none at all
 * @param nginxConf an nginx configuration whose log_format lines say how logs may be written
 * @param policies what to replay; empty: no replay
 */
public record InvestigationRequest(
        List<String> inputs,
        Optional<Path> sourcesFile,
        List<AsHint> as,
        Optional<String> logFormat,
        Path caseFolder,
        boolean force,
        RedactMode redact,
        Optional<Path> saltFile,
        Optional<Instant> since,
        Optional<Instant> until,
        Optional<ZoneId> zone,
        List<String> declared,
        Map<String, String> identity,
        String redisUri,
        List<String> policies,
        int threads,
        int memoryMegabytes,
        Optional<Path> nginxConf) {
    /** Without an nginx configuration. */
    public InvestigationRequest(
            List<String> inputs,
            Optional<Path> sourcesFile,
            List<AsHint> as,
            Optional<String> logFormat,
            Path caseFolder,
            boolean force,
            RedactMode redact,
            Optional<Path> saltFile,
            Optional<Instant> since,
            Optional<Instant> until,
            Optional<ZoneId> zone,
            List<String> declared,
            Map<String, String> identity,
            String redisUri,
            List<String> policies,
            int threads,
            int memoryMegabytes) {
        this(
                inputs,
                sourcesFile,
                as,
                logFormat,
                caseFolder,
                force,
                redact,
                saltFile,
                since,
                until,
                zone,
                declared,
                identity,
                redisUri,
                policies,
                threads,
                memoryMegabytes,
                Optional.empty());
    }

    public enum RedactMode {
        NORMAL,
        STRICT,
        OFF
    }

    /** One {@code --as LAYER[/COMPONENT][@NODE]=GLOB}. */
    public record AsHint(String layer, Optional<String> component, Optional<String> node, String glob) {}
}
