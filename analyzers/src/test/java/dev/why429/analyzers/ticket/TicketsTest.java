package dev.why429.analyzers.ticket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.why429.analyzers.casefile.Case;
import dev.why429.analyzers.casefile.Case.Interval;
import dev.why429.analyzers.store.CaseStore;
import dev.why429.analyzers.ticket.Ticket.Side;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ten requests of "mine" within a second, five of them denied at the gateway; and what another client did. */
class TicketsTest {
    @TempDir
    Path folder;

    @Test
    void aClientOverItsLimitIsToldSo() {
        Ticket ticket = ask(List.of(limiter(5)), List.of(), Optional.empty());
        assertThat(ticket.side()).isEqualTo(Side.THEIRS);
        assertThat(ticket.requests()).isEqualTo(10);
        assertThat(ticket.denied()).isEqualTo(5);
        assertThat(ticket.load().worstSecond()).isEqualTo(10);
        assertThat(ticket.limiter().orElseThrow().exceeded()).isTrue();
        assertThat(ticket.needed().orElseThrow().count()).isEqualTo(10);
    }

    @Test
    void aClientBelowTheLimitThatDeniedItIsOurs() {
        assertThat(ask(List.of(limiter(20)), List.of(), Optional.empty()).side())
                .isEqualTo(Side.OURS);
    }

    @Test
    void withinThePromiseAndOverTheBurstIsBoth() {
        Ticket ticket = ask(List.of(limiter(5)), List.of(), Optional.of(new TicketQuestion.Claim("60/min", 60, 60)));
        assertThat(ticket.side()).isEqualTo(Side.MIXED);
        assertThat(ticket.claim().orElseThrow().kept()).isTrue();
    }

    @Test
    void withoutALimiterAndACauseNothingIsSaid() {
        assertThat(ask(List.of(), List.of(), Optional.empty()).side()).isEqualTo(Side.INCONCLUSIVE);
    }

    @Test
    void whatIsAboutAnotherClientIsNotTold() {
        Ticket ticket = ask(
                List.of(limiter(5)),
                List.of(
                        finding("shared_nat", Map.of("client_ip", "198.51.100.99")),
                        finding("retry_storm", Map.of("api_key", "mine"))),
                Optional.empty());
        assertThat(ticket.causes()).extracting(Ticket.Cause::kind).containsExactly("retry_storm");
        assertThat(ticket.toString()).doesNotContain("198.51.100.99", "secret-of-another");
    }

    @Test
    void aClientThatIsNotThereHasNoTicket() {
        assertThat(Tickets.answer(store(), theCase(List.of(), List.of()), question("nobody", Optional.empty())))
                .isEmpty();
    }

    @Test
    void deniedAtTheGatewayAndNotInTheAppsLogWasNotCarriedOut() {
        assertThat(ask(List.of(limiter(5)), List.of(), Optional.empty()).processed())
                .isEqualTo(Ticket.Processed.NO);
    }

    private Ticket ask(List<Case.Limiter> limiters, List<Case.Finding> findings, Optional<TicketQuestion.Claim> claim) {
        return Tickets.answer(store(), theCase(limiters, findings), question("mine", claim))
                .orElseThrow();
    }

    private static TicketQuestion question(String key, Optional<TicketQuestion.Claim> claim) {
        return new TicketQuestion("api_key", List.of(key), key, claim, Optional.empty(), Optional.empty());
    }

    private CaseStore store() {
        CaseStore store = CaseStore.create(folder.resolve(System.nanoTime() + ".duckdb"), folder, 1, 256);
        List.of(
                        """
                        CREATE TABLE exchanges(exchange BIGINT, arrived_at TIMESTAMP, status BIGINT, outer_file INTEGER, outer_line BIGINT, client_ip VARCHAR,
                            api_key VARCHAR, "user" VARCHAR, tenant VARCHAR, method VARCHAR, path VARCHAR, request_id VARCHAR)""",
                        "CREATE TABLE attributions(exchange BIGINT, visible BOOLEAN, layer VARCHAR, reason VARCHAR)",
                        "CREATE TABLE exchange_lines(exchange BIGINT, file INTEGER, line BIGINT, layer VARCHAR)",
                        """
                        INSERT INTO exchanges SELECT i, TIMESTAMP '2026-03-01 12:00:00' + to_milliseconds(i * 90), CASE WHEN i < 5 THEN 200 ELSE 429 END, 1, i,
                            '203.0.113.7', 'mine', NULL, NULL, 'GET', '/orders', 'id' || i FROM range(10) r(i)""",
                        """
                        INSERT INTO exchanges SELECT 100 + i, TIMESTAMP '2026-03-01 12:00:00' + to_milliseconds(i), 200, 1, 100 + i,
                            '198.51.100.99', 'secret-of-another', NULL, NULL, 'GET', '/orders', 'other' || i FROM range(10) r(i)""",
                        "INSERT INTO attributions SELECT i, true, 'gateway', 'limit' FROM range(5, 10) r(i)",
                        "INSERT INTO exchange_lines SELECT i, 1, i, 'gateway' FROM range(10) r(i) UNION ALL SELECT i, 2, i, 'app' FROM range(5) r(i)")
                .forEach(store::execute);
        return store;
    }

    private static Case.Limiter limiter(double limit) {
        return make(
                Case.Limiter.class,
                Map.of(
                        "id", "L1",
                        "layer", "gateway",
                        "component", "nginx limit_req",
                        "algorithm", "fixed_window",
                        "key", List.of("api_key"),
                        "scope", "shared",
                        "limit", Optional.of(Interval.exactly(limit)),
                        "windowSeconds", Optional.of(Interval.exactly(1))));
    }

    private static Case.Finding finding(String kind, Map<String, String> subject) {
        return make(
                Case.Finding.class,
                Map.of(
                        "id",
                        kind + "-1",
                        "kind",
                        kind,
                        "severity",
                        "high",
                        "title",
                        kind,
                        "subject",
                        subject,
                        "fix",
                        new Case.Fix("mend it", "wait"),
                        "denialsExplained",
                        5L));
    }

    private static Case theCase(List<Case.Limiter> limiters, List<Case.Finding> findings) {
        return make(Case.class, Map.of("limiters", limiters, "findings", findings));
    }

    /** A record of which a test names only what it is about. */
    private static <T> T make(Class<T> type, Map<String, Object> named) {
        try {
            RecordComponent[] parts = type.getRecordComponents();
            Object[] values = new Object[parts.length];
            Class<?>[] types = new Class<?>[parts.length];
            for (int i = 0; i < parts.length; i++) {
                types[i] = parts[i].getType();
                values[i] = named.getOrDefault(parts[i].getName(), nothing(types[i]));
            }
            return type.getDeclaredConstructor(types).newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("a record lacks its constructor", e);
        }
    }

    private static Object nothing(Class<?> type) {
        if (type == String.class) {
            return "";
        }
        if (type == List.class) {
            return List.of();
        }
        if (type == Map.class) {
            return Map.of();
        }
        if (type == Optional.class) {
            return Optional.empty();
        }
        if (type == Instant.class) {
            return Instant.EPOCH;
        }
        return type == long.class
                ? (Object) 0L
                : type == int.class ? (Object) 0 : type == double.class ? (Object) 0.0 : null;
    }
}
