@Configuration
class KeyConfig {
    @Bean
    KeyResolver clientAddress() {
        var resolver = XForwardedRemoteAddressResolver.trustAll();
        return exchange -> Mono.just(resolver.resolve(exchange).getAddress().getHostAddress());
    }
}
