package dev.why429.cli.render.ticket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.why429.analyzers.ticket.Ticket;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TicketLetterTest {
    @ParameterizedTest
    @ValueSource(strings = {"en", "vi"})
    void everyLanguageSaysEverything(String language) {
        Set<String> wanted = new TreeSet<>(TicketLetter.all("en").keySet());
        wanted.removeAll(TicketLetter.all(language).keySet());
        assertThat(wanted).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Ticket.Side.class)
    void eachVariantIsWhole(Ticket.Side side) {
        for (String language : TicketLetter.LANGUAGES) {
            String letter = TicketLetter.of(ticket(side, "/orders"), language).markdown();
            assertThat(letter)
                    .doesNotContainPattern("\\{[0-9]\\}")
                    .contains("2026-03-01 12:00:00.000", "/orders", "429");
        }
    }

    @Test
    void languagesDiffer() {
        assertThat(TicketLetter.of(ticket(Ticket.Side.OURS, "/"), "vi").markdown())
                .contains("Trả lời ngắn gọn")
                .doesNotContain("Short answer");
    }

    @Test
    void whatALogSaysIsNoMarkup() {
        TicketLetter letter =
                TicketLetter.of(ticket(Ticket.Side.OURS, "/<script>alert(1)</script>|[x](http://e)"), "en");
        assertThat(letter.html()).doesNotContain("<script>").contains("&lt;script&gt;");
        assertThat(letter.markdown()).doesNotContain("<script>alert").contains("\\<script\\>", "\\[x\\]", "\\|");
        assertThat(letter.json()).contains("\"schema\" : \"ticket-v1\"");
    }

    private static Ticket ticket(Ticket.Side side, String path) {
        Instant at = Instant.parse("2026-03-01T12:00:00Z");
        return new Ticket(
                side,
                "abcd…",
                "api_key",
                Optional.of(at),
                Optional.of(at.plusSeconds(60)),
                10,
                5,
                5,
                Map.of("gateway", 5L),
                Map.of("limit", 5L),
                Optional.of(new Ticket.Limit(
                        "gateway", "nginx limit_req", "leaky_bucket", List.of("api_key"), 11, 0, 20, true)),
                new Ticket.Load(10, Optional.of(at), 10, 60, Optional.of(at), 10, 10),
                Optional.of(new Ticket.Claim("20/s", 20, 1, 10, true)),
                Optional.of(new Ticket.Needed(10, 0, 20, true)),
                new Ticket.Headers(5, 5, Optional.of(1.0), Optional.of(3.0), Optional.of(11.0), 0, 2),
                Ticket.Processed.NO,
                List.of(new Ticket.Sample(at, "GET", path, 429, true, "id1")),
                List.of(
                        new Ticket.Cause(
                                "retry_storm",
                                "Denied requests come back at once",
                                Ticket.Side.THEIRS,
                                "wait",
                                "nothing"),
                        new Ticket.Cause(
                                "key_port", "The port is part of the key", Ticket.Side.OURS, "nothing", "cut it off")));
    }
}
