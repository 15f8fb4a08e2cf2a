package dev.why429.analyzers.audit.pitfall;

import dev.why429.analyzers.audit.fact.Facts;
import java.util.List;

/** All checks, in the order in which they look. */
public final class PitfallChecks {
    private static final List<PitfallCheck> ALL = List.of(
            new StatePerProcess(),
            new AddressKeys(),
            new OwnCounterLife(),
            new RefusalWithoutWait(),
            new RedisRaces(),
            new RedisLogs(),
            new StoreErrors(),
            new RedisClockAndLife(),
            new RedisKeys(),
            new ExpressWiring(),
            new CodeNumbers(),
            new NginxLimits(),
            new IngressNginx(),
            new EnvoyLimits(),
            new TraefikLimits(),
            new KongLimits(),
            new SpringGateway(),
            new LineConfigs(),
            new YamlLimits(),
            new TerraformLimits(),
            new GatewayRetries(),
            new FailPolicies(),
            new ExpressRoutes(),
            new WaitHeaders(),
            new BucketNumbers(),
            new ProgramMemory(),
            new Operations(),
            new RackAttack(),
            new WrittenKeys(),
            new LaravelLimits(),
            new AspNetLimits(),
            new GoLimits(),
            new RustGovernor(),
            new BucketPerCall(),
            new DjangoThrottles());

    private PitfallChecks() {}

    public static void look(Facts facts, Findings findings) {
        ALL.forEach(check -> check.look(facts, findings));
    }
}
