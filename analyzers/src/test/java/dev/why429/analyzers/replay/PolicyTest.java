package dev.why429.analyzers.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.why429.analyzers.InputProblem;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class PolicyTest {
    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
                    token-bucket:rate=20/s,burst=40,key=api_key                ; token-bucket       ; 40 1 50000       ; api_key
                    token-bucket:rate=1000/h,burst=1000                        ; token-bucket       ; 1000 1 3600000   ; client_ip
                    token-bucket:rate=7/s,burst=1,key=global                   ; token-bucket       ; 1 7 1000000      ; global
                    token-bucket:rate=0.5/s,burst=1                            ; token-bucket       ; 1 1 2000000      ; client_ip
                    token-bucket:rate=5/10s,burst=1                            ; token-bucket       ; 1 1 2000000      ; client_ip
                    gcra:rate=100/m,burst=10,key=user                          ; gcra               ; 10 1 600000      ; user
                    fixed-window:limit=100,window=60s                          ; fixed-window       ; 100 60000000     ; client_ip
                    fixed-window:limit=100,window=1m,align=clock               ; fixed-window       ; 100 60000000     ; client_ip
                    fixed-window:limit=5,window=500ms,align=first              ; fixed-window-first ; 5 500000         ; client_ip
                    sliding-log:limit=10,window=1h,key=api_key+route           ; sliding-log        ; 10 3600000000    ; api_key+route
                    sliding-counter:limit=10,window=1d,key=user|client_ip      ; sliding-counter    ; 10 86400000000   ; user|client_ip
                    leaky-bucket:rate=100/m,burst=5                            ; leaky-bucket       ; 5 1666           ; client_ip
                    leaky-bucket:rate=10/s                                     ; leaky-bucket       ; 0 10000          ; client_ip
                    leaky-queue:rate=10/s,queue=3                              ; leaky-queue        ; 300000 1 100000  ; client_ip
                    leaky-queue:rate=7/s,queue=1                               ; leaky-queue        ; 142858 7 1000000 ; client_ip
                    leaky-queue:rate=10/s,max-wait=2s,key=user                 ; leaky-queue        ; 2000000 1 100000 ; user
                    concurrency:limit=5,key=tenant                             ; concurrency        ; 5 1              ; tenant
                    token-bucket:rate=100/s,burst=9,key=global&token-bucket:rate=1/s,burst=2,key=user ; layered ; 9 1 10000 2 1 1000000 ; user
                    token-bucket:rate=1/s,burst=1,key=user|client_net+route+node ; token-bucket     ; 1 1 1000000      ; user|client_net+route+node
                    """)
    void aPolicyBecomesALimiterItsParametersAndItsKey(String text, String limiter, String parameters, String key) {
        Policy policy = Policy.parse(text);
        assertThat(policy.limiter()).isEqualTo(limiter);
        assertThat(policy.parameters())
                .containsExactly(Arrays.stream(parameters.split(" ", -1))
                        .mapToLong(Long::parseLong)
                        .toArray());
        assertThat(policy.key()).hasToString(key);
        assertThat(policy).hasToString(text);
    }

    @Test
    void aCostHoldsForAPathAndWhatLiesBelowIt() {
        Policy policy = Policy.parse("token-bucket:rate=20/s,burst=40,cost=2,cost./search=5,cost./search/export=50");
        assertThat(List.of(
                        "/search",
                        "/search?q=a",
                        "/search/",
                        "/search/new/er",
                        "/search/export/1",
                        "/searching",
                        "/",
                        ""))
                .extracting(path -> policy.costs().of(path))
                .containsExactly(5L, 5L, 5L, 5L, 50L, 2L, 2L, 2L);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
                    tokens:rate=1/s                                   ; "tokens" at 1 of the policy "tokens:rate=1/s" is no limiter
                    leaky-queue:rate=1/s                              ; needs either queue=20 or max-wait=2s
                    token-bucket:rate=1/s,burst=1&gcra:rate=1/s,burst=1 ; joined by &, are token buckets
                    token-bucket:rate=1/s,burst=1&token-bucket:rate=1/s ; has no burst
                    semaphore:limit=5                                 ; expected token-bucket, gcra, leaky-bucket, fixed-window, sliding-log, sliding-counter, leaky-queue, concurrency
                    token-bucket:rate=20/q,burst=40                   ; "20/q" at 19 of the policy
                    token-bucket:rate=20/q,burst=40                   ; is no rate; expected a number per time, such as 20/s
                    token-bucket:rate=20/s                            ; has no burst; expected burst=40
                    token-bucket:rate=20/s,burst=x                    ; "x" at 30 of the policy
                    token-bucket:rate=20/s,burst=0                    ; is no burst; expected a whole number from 1
                    token-bucket:rate=0/s,burst=1                     ; "0/s" at 19
                    token-bucket:rate=-1/s,burst=1                    ; "-1/s" at 19
                    token-bucket:rate=1e3/s,burst=1                   ; "1e3/s" at 19
                    token-bucket:rate=1./s,burst=1                    ; "1./s" at 19
                    fixed-window:limit=100,window=60                  ; "60" at 31
                    fixed-window:limit=100,window=60s,align=left      ; is no alignment; expected clock or first
                    fixed-window:limit=100,window=60s,rate=1/s        ; "rate" at 35
                    fixed-window:limit=1,window=1s,key=ip             ; "ip" at 36
                    fixed-window:limit=1,window=1s,key=user+|route    ; "" at 41
                    fixed-window:limit=1,limit=2,window=1s            ; "limit" at 22 of the policy
                    fixed-window:limit=1,window=1s,cost.search=5      ; is no path; expected cost./path=5
                    fixed-window:limit=1,window=1s,nonsense           ; "nonsense" at 32
                    token-bucket:rate=1/d,burst=9999999               ; capacity times period_us must stay below 2^53
                    sliding-log:limit=200000,window=1s                ; at most 100000
                    fixed-window:limit=1,window=99999999999d          ; is no duration
                    """)
    void whatIsWrongIsSaidWithItsPlaceAndWhatWasExpected(String text, String said) {
        assertThat(problems(text)).anySatisfy(problem -> assertThat(problem).contains(said));
    }

    static List<String> brokenInManyWays() {
        return List.of("fixed-window:limit=x,window=60,key=ip,align=left,foo=1");
    }

    @ParameterizedTest
    @MethodSource("brokenInManyWays")
    void everythingThatIsWrongIsSaidAtOnce(String text) {
        assertThat(problems(text)).hasSize(5);
    }

    @Test
    void severalPoliciesFailTogether() {
        InputProblem problem = catchThrowableOfType(
                InputProblem.class,
                () -> Policy.parseAll(List.of("foo:a=1", "token-bucket:rate=1/s,burst=1", "gcra:rate=1/s")));
        assertThat(problem.problems()).hasSize(2);
        assertThat(problem.kind()).isEqualTo(InputProblem.Kind.USAGE);
    }

    private static List<String> problems(String text) {
        return catchThrowableOfType(InputProblem.class, () -> Policy.parse(text))
                .problems();
    }
}
