package dev.why429.analyzers.replay;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Everybody's limit beside each client's, through twin and Redis. */
class SeveralLimitsTest {
    @Test
    void whoIsOverItsOwnLimitDoesNotUseUpEverybodys() {
        RequestStream.Builder requests = new RequestStream.Builder();
        for (int i = 0; i < 50; i++) {
            requests.add(1_000_000 + i, "greedy", 1, false);
        }
        for (int i = 0; i < 8; i++) {
            requests.add(1_000_100 + i, "client" + i, 1, false);
        }
        Policy policy =
                Policy.parse("token-bucket:rate=1/s,burst=10,key=global&token-bucket:rate=1/s,burst=2,key=client_ip");
        Replay.Result result =
                Replay.replay(InventedTraffic.under(requests.build(), policy), policy, TestRedis.engine());
        assertThat(result.summary().engine()).isEqualTo(TestRedis.engine().name());
        assertThat(result.summary().allowed()).isEqualTo(10);
        assertThat(result.keys()).first().extracting(Replay.KeyResult::denied).isEqualTo(48L);
    }
}
