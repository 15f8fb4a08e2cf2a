package dev.why429.cli.render.ticket;

import dev.why429.analyzers.ticket.Ticket;
import dev.why429.analyzers.ticket.Ticket.Processed;
import dev.why429.analyzers.ticket.Ticket.Side;
import dev.why429.cli.Printable;
import dev.why429.cli.render.Wording;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.MissingResourceException;
import java.util.ResourceBundle;
import java.util.stream.Collectors;

/** The answer to a client in one language; every sentence comes from {@code ticket/messages_*.properties}, so that a language is a file. */
public final class TicketLetter {
    /** Languages of which there is a file. */
    public static final List<String> LANGUAGES = List.of("en", "vi");

    private static final String MESSAGES = "dev.why429.cli.ticket.messages";
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS", Locale.ROOT).withZone(ZoneOffset.UTC);

    /** A heading with sentences, bullets or a table below it. */
    record Section(String heading, List<String> sentences, List<String> bullets, List<List<String>> table) {}

    private final Ticket ticket;
    private final String language;
    private final ResourceBundle messages;

    private TicketLetter(Ticket ticket, String language) {
        this.ticket = ticket;
        this.language = language;
        this.messages = ResourceBundle.getBundle(
                MESSAGES,
                Locale.forLanguageTag(language),
                ResourceBundle.Control.getNoFallbackControl(ResourceBundle.Control.FORMAT_PROPERTIES));
    }

    /** @param language one of {@link #LANGUAGES} */
    public static TicketLetter of(Ticket ticket, String language) {
        return new TicketLetter(ticket, language);
    }

    public String markdown() {
        return TicketMarkup.markdown(title(), sections());
    }

    public String html() {
        return TicketMarkup.html(language, title(), sections());
    }

    public String json() {
        return TicketMarkup.json(ticket, language, markdown());
    }

    private String title() {
        return say("title", Printable.of(ticket.client()));
    }

    private List<Section> sections() {
        List<Section> sections = new ArrayList<>();
        sections.add(text("heading.short", shortAnswer()));
        sections.add(text("heading.counted", counted()));
        sections.add(text("heading.arithmetic", arithmetic()));
        sections.add(text("heading.told", told()));
        sections.add(samples());
        sections.add(bullets("heading.you", ticket.side() == Side.INCONCLUSIVE ? toSend() : clientSide()));
        List<String> ours = ourSide();
        if (!ours.isEmpty()) {
            sections.add(bullets("heading.we", ours));
        }
        return sections;
    }

    private List<String> shortAnswer() {
        List<String> lines = new ArrayList<>();
        lines.add(say("short." + lower(ticket.side())));
        ticket.from()
                .ifPresent(from -> lines.add(say(
                        "span",
                        number(ticket.requests()),
                        number(ticket.denied()),
                        time(from),
                        ticket.to().map(TicketLetter::time).orElse(""))));
        ticket.causes().stream().limit(3).forEach(cause -> lines.add(say("cause", causeTitle(cause))));
        return lines;
    }

    private List<String> counted() {
        List<String> lines = new ArrayList<>();
        ticket.layers()
                .forEach((layer, count) -> lines.add(say("denied.at", number(count), word("layer." + layer, layer))));
        ticket.reasons().forEach((reason, count) -> {
            if (!reason.equals("limit")) {
                lines.add(say("denied.reason", number(count), word("reason." + reason, reason)));
            }
        });
        if (ticket.limiter().isEmpty()) {
            lines.add(say("limit.unknown"));
            return lines;
        }
        Ticket.Limit limit = ticket.limiter().get();
        String key = limit.key().isEmpty()
                ? say("key.everybody")
                : limit.key().stream().map(field -> word("key." + field, field)).collect(Collectors.joining(" + "));
        lines.add(
                limit.perSecond() > 0
                        ? say(
                                "limit.bucket",
                                Printable.of(limit.component()),
                                number(limit.perSecond()),
                                number(limit.count()),
                                key)
                        : say(
                                "limit.window",
                                Printable.of(limit.component()),
                                number(limit.count()),
                                number(limit.windowSeconds()),
                                key));
        lines.add(say(limit.exceeded() ? "limit.exceeded" : "limit.kept"));
        return lines;
    }

    private List<String> arithmetic() {
        Ticket.Load load = ticket.load();
        List<String> lines = new ArrayList<>();
        lines.add(say(
                "load.second",
                number(load.worstSecond()),
                load.worstSecondAt().map(TicketLetter::time).orElse("")));
        lines.add(say(
                "load.window",
                number(load.worstWindow()),
                number(load.worstWindowSeconds()),
                load.worstWindowAt().map(TicketLetter::time).orElse("")));
        lines.add(say("load.minute", number(load.meanPerMinute()), number(load.busiestMinute())));
        ticket.claim()
                .ifPresent(claim -> lines.add(say(
                        claim.kept() ? "claim.kept" : "claim.exceeded",
                        Printable.of(claim.text()),
                        number(claim.most()),
                        number(claim.perSeconds()))));
        ticket.needed()
                .ifPresent(needed -> lines.add(
                        needed.atOnce()
                                ? say("needed.burst", number(needed.count()), number(needed.perSecond()))
                                : say("needed.window", number(needed.count()), number(needed.windowSeconds()))));
        return lines;
    }

    private List<String> told() {
        Ticket.Headers headers = ticket.headers();
        List<String> lines = new ArrayList<>();
        if (headers.seen() == 0) {
            lines.add(say("headers.unseen"));
        } else if (headers.withRetryAfter() == 0) {
            lines.add(say("headers.nowait", number(headers.seen())));
        } else {
            lines.add(say(
                    "headers.wait",
                    number(headers.withRetryAfter()),
                    number(headers.shortestWaitSeconds().orElse(0.0)),
                    number(headers.longestWaitSeconds().orElse(0.0))));
            if (headers.cameBackEarly() > 0) {
                lines.add(say("headers.early", number(headers.cameBackEarly())));
            }
        }
        headers.limit().ifPresent(limit -> lines.add(say("headers.limit", number(limit))));
        if (headers.withSomethingLeft() > 0) {
            lines.add(say("headers.left", number(headers.withSomethingLeft())));
        }
        if (ticket.denied() > 0) {
            Processed processed = ticket.processed();
            lines.add(say("processed." + processed.name().toLowerCase(Locale.ROOT)));
        }
        return lines;
    }

    private Section samples() {
        List<List<String>> table = new ArrayList<>();
        table.add(List.of(say("column.time"), say("column.request"), say("column.status"), say("column.id")));
        for (Ticket.Sample sample : ticket.samples()) {
            table.add(List.of(
                    time(sample.at()),
                    Printable.of(sample.method() + " " + sample.path()).strip(),
                    sample.status() + (sample.denied() ? " " + say("denied") : ""),
                    sample.requestId().isEmpty() ? "–" : Printable.of(sample.requestId())));
        }
        return new Section(say("heading.samples"), List.of(), List.of(), table);
    }

    private List<String> clientSide() {
        List<String> lines = new ArrayList<>();
        ticket.causes().stream()
                .filter(cause -> cause.side() == Side.THEIRS)
                .forEach(cause -> lines.add(word("you." + cause.kind(), cause.client())));
        if (ticket.side() != Side.OURS) {
            lines.add(say("you.retry"));
            ticket.limiter()
                    .ifPresent(limit -> lines.add(
                            limit.perSecond() > 0
                                    ? say("you.bucket", number(limit.perSecond()), number(limit.count()))
                                    : say("you.window", number(limit.count()), number(limit.windowSeconds()))));
        } else {
            lines.add(say("you.nothing"));
            lines.add(say("you.retry"));
        }
        return lines.stream().distinct().toList();
    }

    private List<String> toSend() {
        return List.of(say("send.times"), say("send.ids"), say("send.response"), say("send.clock"));
    }

    private List<String> ourSide() {
        List<String> lines = ticket.causes().stream()
                .filter(cause -> cause.side() == Side.OURS)
                .map(cause -> word("we." + cause.kind(), say("we.look", causeTitle(cause))))
                .collect(Collectors.toCollection(ArrayList::new));
        if (ticket.side() == Side.MIXED
                && ticket.claim().map(Ticket.Claim::kept).orElse(false)) {
            lines.add(say("we.promise"));
        }
        return lines;
    }

    private String causeTitle(Ticket.Cause cause) {
        return word("title." + cause.kind(), cause.title());
    }

    private static Section plain(String heading, List<String> sentences, List<String> bullets) {
        return new Section(heading, sentences, bullets, List.of());
    }

    private Section text(String heading, List<String> sentences) {
        return plain(say(heading), sentences, List.of());
    }

    private Section bullets(String heading, List<String> bullets) {
        return plain(say(heading), List.of(), bullets);
    }

    private String say(String key, String... values) {
        String text = messages.getString(key);
        for (int i = 0; i < values.length; i++) {
            text = text.replace("{" + i + "}", values[i]);
        }
        return text;
    }

    /** A word that need not be translated. */
    private String word(String key, String otherwise) {
        try {
            return messages.getString(key);
        } catch (MissingResourceException e) {
            return Printable.of(otherwise);
        }
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private static String number(double value) {
        return Wording.number(value);
    }

    private static String number(long value) {
        return Wording.number((double) value);
    }

    private static String time(Instant at) {
        return TIME.format(at);
    }

    /** Every key of the language's file, for the test that holds the files side by side. */
    static Map<String, String> all(String language) {
        ResourceBundle bundle = ResourceBundle.getBundle(
                MESSAGES,
                Locale.forLanguageTag(language),
                ResourceBundle.Control.getNoFallbackControl(ResourceBundle.Control.FORMAT_PROPERTIES));
        return bundle.keySet().stream()
                .sorted()
                .collect(Collectors.toMap(key -> key, bundle::getString, (a, b) -> a, java.util.TreeMap::new));
    }
}
