@Configuration
class KeyConfig {
    @Bean
    KeyResolver clientAddress() {
        var resolver = XForwardedRemoteAddressResolver.maxTrustedIndex(1);
        return exchange -> Mono.just(resolver.resolve(exchange).getAddress().getHostAddress());
    }
}
