@Configuration
class KeyResolverConfig {
    @Bean
    KeyResolver ipKeyResolver() {
        return exchange -> Mono.just(
            exchange.getRequest().getHeaders().getFirst("X-Forwarded-For").split(",")[0].trim());
    }
}
