package dev.why429.cli.render;

import dev.why429.analyzers.casefile.Case;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What to write to the people who asked why they were denied: facts, no blame, no internal host names and no other client. A draft about all
 * clients; {@code why429 ticket} writes the one about a single client.
 */
public final class PartnerAnswer {
    private static final int MOST_CAUSES = 3;

    private PartnerAnswer() {}

    /** Plain text, paragraphs separated by an empty line; empty when nothing was denied. */
    public static String of(Case theCase) {
        Optional<Case.DenialClass> who = Glance.mostDenials(theCase);
        if (who.isEmpty() || theCase.denials().total() == 0) {
            return "";
        }
        List<String> paragraphs = new ArrayList<>();
        paragraphs.add("Hello,");
        paragraphs.add(counts(theCase));
        paragraphs.add(source(who.get()));
        list(
                "The limits that were in force:",
                theCase.limiters().stream().map(PartnerAnswer::limit).distinct().toList(),
                paragraphs);
        List<Case.Finding> causes =
                theCase.findings().stream().limit(MOST_CAUSES).toList();
        list("What we found:", causes.stream().map(Case.Finding::title).toList(), paragraphs);
        list(
                "What helps on your side:",
                causes.stream()
                        .map(finding -> finding.fix().client())
                        .filter(text -> !text.isEmpty())
                        .distinct()
                        .toList(),
                paragraphs);
        list(
                "What we do on ours:",
                causes.stream()
                        .map(finding -> finding.fix().operator())
                        .filter(text -> !text.isEmpty())
                        .distinct()
                        .toList(),
                paragraphs);
        paragraphs.add(
                "Send us the request ids or the exact times (with time zone) of a few denied requests, and we will look these up one by one.");
        return String.join("\n\n", paragraphs) + "\n";
    }

    private static String counts(Case theCase) {
        String span = theCase.span()
                .map(found -> "Between " + time(found.from().toString()) + " and "
                        + time(found.to().toString()) + " UTC ")
                .orElse("In the time that our logs cover ");
        return span + Wording.count(theCase.denials().total()) + " of "
                + Wording.count(theCase.requests().total()) + " requests to our API were denied ("
                + Wording.share(theCase.denials().total(), theCase.requests().total()) + ").";
    }

    private static String source(Case.DenialClass who) {
        return switch (who.reason()) {
            case "limiter_error" ->
                "Most of these answers were not about your rate: our rate limiter could not reach its counters and answered 429 to everybody.";
            case "backend_error" ->
                "Most of these answers were not about your rate: they stood for a failure behind our gateway and should not have been 429.";
            case "limit" ->
                switch (who.layer()) {
                    case "third_party" ->
                        "Most of them came from a provider that we call on your behalf, and were passed on by us.";
                    case "cdn", "gateway" ->
                        "Most of them were made by the rate limit at our edge; such a request never reached the application: sent again after the wait, it is not done twice.";
                    case "app" -> "Most of them were made by the rate limit of our application.";
                    default -> "Most of them were made by a rate limit.";
                };
            default -> "We have not yet established which limit denied most of them.";
        };
    }

    private static String limit(Case.Limiter limiter) {
        String parameters = Wording.parameters(limiter);
        if (parameters.isEmpty()) {
            return "a limit that the logs do not show exactly.";
        }
        String counted = limiter.key().isEmpty()
                ? "for all clients together"
                : "per " + String.join(" and ", limiter.key()).replace('_', ' ').toLowerCase(Locale.ROOT);
        String each = limiter.scope().equals("per_node") ? ", on each of our servers alone" : "";
        return parameters + ", counted " + counted + each + "."
                + limiter.declared()
                        .map(declared -> " What was announced: " + declared.text() + ".")
                        .orElse("");
    }

    private static void list(String lead, List<String> points, List<String> paragraphs) {
        if (!points.isEmpty()) {
            paragraphs.add(lead + "\n- " + String.join("\n- ", points));
        }
    }

    private static String time(String instant) {
        int fraction = instant.indexOf('.');
        return (fraction > 0 ? instant.substring(0, fraction) : instant.replace("Z", "")).replace('T', ' ');
    }
}
