package dev.why429.analyzers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.why429.analyzers.InvestigationRequest.AsHint;
import dev.why429.analyzers.InvestigationRequest.RedactMode;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RerunTest {
    private static InvestigationRequest request(RedactMode redact) {
        return new InvestigationRequest(
                List.of("/srv/acme/logs/edge.log", "-"),
                Optional.of(Path.of("/srv/acme/sources.yaml")),
                List.of(new AsHint("gateway", Optional.of("nginx"), Optional.empty(), "/srv/acme/logs/*.log")),
                Optional.empty(),
                Path.of("why429-case"),
                true,
                redact,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(ZoneId.of("+07:00")),
                List.of("1200/min by api_key"),
                Map.of("header:x-client", "api_key"),
                "none",
                List.of(),
                2,
                400);
    }

    @Test
    void theArgumentsMakeTheCaseAgain() {
        assertThat(String.join(" ", Rerun.of(request(RedactMode.NORMAL)).arguments()))
                .isEqualTo(
                        "/srv/acme/logs/edge.log - --sources /srv/acme/sources.yaml --as gateway/nginx=/srv/acme/logs/*.log"
                                + " --declared 1200/min by api_key --identity api_key=header:x-client --tz +07:00");
    }

    @Test
    void aCaseThatMayLeaveTheCompanyNamesNoFolder() {
        assertThat(Rerun.of(request(RedactMode.STRICT)).arguments())
                .containsSubsequence(
                        "edge.log", "--sources", "sources.yaml", "gateway/nginx=*.log", "--redact", "strict")
                .noneMatch(argument -> argument.contains("acme"));
    }
}
