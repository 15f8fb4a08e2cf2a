package dev.why429.analyzers.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.why429.analyzers.InputProblem;
import dev.why429.analyzers.audit.limit.DeclaredLimit;
import dev.why429.analyzers.audit.limit.DeclaredLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class DeclaredLimitsTest {
    @TempDir
    Path root;

    private void write(String name, String text) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    static Stream<Arguments> configurations() {
        return Stream.of(
                Arguments.of(
                        "nginx.conf",
                        """
                        http {
                          limit_req_zone $binary_remote_addr zone=api:10m rate=300r/m;
                          server { location /v1/ { limit_req zone=api burst=20 nodelay; } }
                        }
                        """,
                        "nginx:3 api /v1/ | 5 per s, burst 20 | $binary_remote_addr | leaky-bucket:rate=5/s,burst=20"),
                Arguments.of(
                        "ingress.yaml",
                        """
                        kind: Ingress
                        metadata:
                          name: shop
                          annotations:
                            nginx.ingress.kubernetes.io/limit-rpm: "300"
                        """,
                        "ingress-nginx:5 shop | 5 per s, burst 1500 | $binary_remote_addr | leaky-bucket:rate=5/s,burst=1500"),
                Arguments.of(
                        "envoy.yaml", """
                        http_filters:
                          - name: envoy.filters.http.local_ratelimit
                            typed_config:
                              stat_prefix: edge
                              token_bucket: {max_tokens: 100, tokens_per_fill: 10, fill_interval: 2s}
                        """, "envoy:5 edge | 5 per s, burst 100 |  | token-bucket:rate=5/s,burst=100"),
                Arguments.of(
                        "config.yaml",
                        """
                        domain: shop
                        descriptors:
                          - key: plan
                            value: gold
                            descriptors:
                              - key: api_key
                                rate_limit: {unit: minute, requests_per_unit: 1200}
                        """,
                        "envoy-ratelimit:7 shop.plan=gold.api_key | 1200 per 60 s | plan=gold.api_key | fixed-window:limit=1200,window=60s"),
                Arguments.of(
                        "policy.yaml",
                        """
                        kind: BackendTrafficPolicy
                        metadata: {name: limits}
                        spec:
                          rateLimit:
                            type: Global
                            global:
                              rules:
                                - clientSelectors:
                                    - headers: [{name: x-api-key, type: Distinct}]
                                  limit: {requests: 20, unit: Second}
                        """,
                        "envoy-gateway:10 limits | 20 per s | header:x-api-key | fixed-window:limit=20,window=1s"),
                Arguments.of(
                        "dynamic.toml",
                        """
                        # Traefik
                        [http.middlewares.api.rateLimit]
                          average = 12
                          period = "1m"
                          burst = 6
                        """,
                        "traefik:3  | 12 per 60 s, burst 6 | address | token-bucket:rate=12/min,burst=6"),
                Arguments.of(
                        "compose.yml",
                        """
                        services:
                          web:
                            labels:
                              - "traefik.http.middlewares.api.ratelimit.average=50"
                              - "traefik.http.middlewares.api.ratelimit.burst=10"
                        """,
                        "traefik:4 api | 50 per s, burst 10 | address | token-bucket:rate=50/s,burst=10"),
                Arguments.of(
                        "kong.yml", """
                        _format_version: "3.0"
                        plugins:
                          - name: rate-limiting
                            config: {minute: 60, policy: redis, limit_by: ip}
                        """, "kong:4 rate-limiting | 60 per 60 s | ip | fixed-window:limit=60,window=60s"),
                Arguments.of(
                        "apisix.yaml",
                        """
                        routes:
                          - plugins:
                              limit-count: {count: 200, time_window: 60, rejected_code: 429, key: consumer_name}
                        """,
                        "apisix:3 limit-count | 200 per 60 s | consumer_name | fixed-window:limit=200,window=60s"),
                Arguments.of(
                        "application.properties",
                        """
                        spring.cloud.gateway.routes[0].id=orders
                        spring.cloud.gateway.routes[0].filters[0].name=RequestRateLimiter
                        spring.cloud.gateway.routes[0].filters[0].args.redis-rate-limiter.replenishRate=10
                        spring.cloud.gateway.routes[0].filters[0].args.redis-rate-limiter.burstCapacity=20
                        spring.cloud.gateway.routes[0].filters[0].args.key-resolver=#{@userKeyResolver}
                        """,
                        "spring-cloud-gateway:3  | 10 per s, burst 20 | #{@userKeyResolver} | token-bucket:rate=10/s,burst=20"),
                Arguments.of("haproxy.cfg", """
                        frontend www
                          stick-table type ipv6 size 100k expire 30s store http_req_rate(10s)
                          http-request track-sc0 src
                          http-request deny deny_status 429 if { sc_http_req_rate(0) gt 20 }
                        """, "haproxy:4  | 20 per 10 s | src | sliding-log:limit=20,window=10s"),
                Arguments.of(
                        "Caddyfile",
                        """
                        example.com {
                          rate_limit {
                            zone api {
                              key {client_ip}
                              events 100
                              window 1m
                            }
                          }
                        }
                        """,
                        "caddy:3 api | 100 per 60 s | {client_ip} | sliding-log:limit=100,window=60s"),
                Arguments.of(
                        "main.tf",
                        """
                        resource "aws_api_gateway_usage_plan" "p" {
                          throttle_settings {
                            burst_limit = 200
                            rate_limit  = 100
                          }
                        }
                        """,
                        "api-gateway:4  | 100 per s, burst 200 | api_key | token-bucket:rate=100/s,burst=200"),
                Arguments.of(
                        "limits.js",
                        """
                        const { rateLimit } = require("express-rate-limit");
                        module.exports = rateLimit({ windowMs: 15 * 60 * 1000, limit: 100 });
                        """,
                        "express-rate-limit:2  | 100 per 900 s | req.ip | fixed-window:limit=100,window=900s"),
                Arguments.of(
                        "attack.rb", """
                        class Rack::Attack
                          throttle("req/ip", limit: 300, period: 5.minutes) { |req| req.ip }
                        end
                        """, "rack-attack:2  | 300 per 300 s |  | fixed-window:limit=300,window=300s"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("configurations")
    void every_technology_says_its_limit_in_the_same_words(String name, String text, String expected)
            throws IOException {
        write(name, text);
        assertThat(DeclaredLimits.read(root.resolve(name)).limits())
                .extracting(DeclaredLimitsTest::told)
                .containsExactly(expected);
        assertThat(DeclaredLimits.read(root).limits())
                .extracting(DeclaredLimitsTest::told)
                .containsExactly(expected);
    }

    private static String told(DeclaredLimit limit) {
        return limit.technology() + ":" + limit.place().line() + " " + limit.name() + " | " + limit.budget() + " | "
                + limit.key() + " | " + limit.policy().orElse("none");
    }

    @Test
    void a_file_is_read_with_what_it_includes_whatever_it_is_called() throws IOException {
        write("nginx.conf.bak", "http { limit_req_zone $key zone=a:1m rate=2r/s; include conf.d/*.conf; }");
        write("conf.d/site.conf", "server { limit_req zone=a burst=4; }");
        assertThat(DeclaredLimits.read(root.resolve("nginx.conf.bak")).limits())
                .extracting(l -> l.place().file() + " " + l.budget())
                .containsExactly("conf.d/site.conf 2 per s, burst 4");
    }

    @Test
    void a_configuration_inside_a_config_map_keeps_its_lines() throws IOException {
        write("map.yaml", """
                kind: ConfigMap
                data:
                  config.yaml: |
                    domain: shop
                    descriptors:
                      - key: user
                        rate_limit: {unit: second, requests_per_unit: 5}
                """);
        assertThat(DeclaredLimits.read(root).limits())
                .extracting(DeclaredLimitsTest::told)
                .containsExactly("envoy-ratelimit:7 shop.user | 5 per s | user | fixed-window:limit=5,window=1s");
    }

    @Test
    void what_is_not_there_is_told_by_name() {
        assertThatThrownBy(() -> DeclaredLimits.read(root.resolve("none.conf")))
                .isInstanceOf(InputProblem.class)
                .hasMessageContaining("none.conf");
    }

    @Test
    void numbers_that_are_not_told_stay_unknown() throws IOException {
        write(
                "main.tf",
                "resource \"aws_wafv2_web_acl\" \"a\" {\n  rate_based_statement {\n    limit = var.limit * 2\n  }\n}\n");
        assertThat(DeclaredLimits.read(root)).isEqualTo(new DeclaredLimits.Found(List.of(), List.of()));
    }
}
