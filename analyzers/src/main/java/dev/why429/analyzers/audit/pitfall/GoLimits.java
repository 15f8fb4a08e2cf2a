package dev.why429.analyzers.audit.pitfall;

import dev.why429.analyzers.audit.fact.Facts;
import dev.why429.analyzers.audit.read.SourceFile;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Go: addresses that the caller writes. */
final class GoLimits implements PitfallCheck {
    private static final Pattern GO_TRUSTING = Pattern.compile("httprate\\.(?:LimitByRealIP|KeyByRealIP)\\b");

    @Override
    public void look(Facts facts, Findings findings) {
        for (SourceFile file : facts.sources().ending(".go")) {
            go(facts, findings, file, CodeText.blanked(file, "//"));
        }
    }

    private static void go(Facts facts, Findings findings, SourceFile file, String text) {
        Matcher trusting = GO_TRUSTING.matcher(text);
        if (trusting.find() && facts.overwritesForwarded().isEmpty()) {
            findings.report(
                    "go",
                    "key-spoofable",
                    "the key is taken from headers of the request (True-Client-IP, X-Real-IP, X-Forwarded-For) without asking who sent them",
                    file.at(trusting.start()));
        }
        boolean gin = text.contains("gin-gonic/gin");
        int key = text.indexOf(".ClientIP()");
        boolean limits = text.toLowerCase(Locale.ROOT).contains("limiter")
                || text.contains("429")
                || text.contains("StatusTooManyRequests");
        boolean configured = facts.sources().ending(".go").stream()
                .anyMatch(
                        f -> f.text().contains("SetTrustedProxies") || f.text().contains("TrustedPlatform"));
        if (gin
                && key >= 0
                && limits
                && !configured
                && facts.overwritesForwarded().isEmpty()) {
            findings.report(
                    "go",
                    "key-spoofable",
                    "gin believes every proxy until SetTrustedProxies is called: ClientIP() is what the caller wrote into X-Forwarded-For",
                    file.at(key + 1));
        }
    }
}
