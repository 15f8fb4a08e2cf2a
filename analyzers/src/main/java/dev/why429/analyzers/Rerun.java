package dev.why429.analyzers;

import dev.why429.analyzers.InvestigationRequest.AsHint;
import dev.why429.analyzers.InvestigationRequest.RedactMode;
import dev.why429.analyzers.casefile.Case;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The arguments that make a case again. */
final class Rerun {
    private Rerun() {}

    /** Where the case goes, threads and memory change nothing in it and are left out; under strict redaction folders are left out too. */
    static Case.Run of(InvestigationRequest request) {
        boolean strict = request.redact() == RedactMode.STRICT;
        List<String> arguments = new ArrayList<>();
        request.inputs().forEach(input -> arguments.add(place(input, strict)));
        request.sourcesFile().ifPresent(file -> option(arguments, "--sources", place(file.toString(), strict)));
        request.as().forEach(hint -> option(arguments, "--as", text(hint, strict)));
        request.logFormat().ifPresent(format -> option(arguments, "--log-format", format));
        request.nginxConf().ifPresent(file -> option(arguments, "--nginx-conf", place(file.toString(), strict)));
        request.declared().forEach(promise -> option(arguments, "--declared", promise));
        for (Map.Entry<String, String> identity : request.identity().entrySet()) {
            option(arguments, "--identity", identity.getValue() + "=" + identity.getKey());
        }
        request.since().ifPresent(time -> option(arguments, "--since", time.toString()));
        request.until().ifPresent(time -> option(arguments, "--until", time.toString()));
        request.zone().ifPresent(zone -> option(arguments, "--tz", zone.getId()));
        request.saltFile().ifPresent(file -> option(arguments, "--salt-file", place(file.toString(), strict)));
        request.policies().forEach(policy -> option(arguments, "--policy", policy));
        String redact = request.redact().name().toLowerCase(Locale.ROOT);
        if (request.redact() != RedactMode.NORMAL) {
            option(arguments, "--redact", redact);
        }
        return new Case.Run(List.copyOf(arguments), redact);
    }

    private static void option(List<String> arguments, String name, String value) {
        arguments.add(name);
        arguments.add(value);
    }

    private static String text(AsHint hint, boolean strict) {
        return hint.layer()
                + hint.component().map(component -> "/" + component).orElse("")
                + hint.node().map(node -> "@" + node).orElse("")
                + "="
                + place(hint.glob(), strict);
    }

    private static String place(String path, boolean strict) {
        Path name = strict && !path.equals("-") ? Path.of(path).getFileName() : Path.of(path);
        return name == null ? path : strict ? name.toString() : path;
    }
}
