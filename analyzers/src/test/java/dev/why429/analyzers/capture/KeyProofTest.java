package dev.why429.analyzers.capture;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class KeyProofTest {
    @Test
    void anIpv6ClientIsAlsoTriedByItsNetworks() {
        assertThat(KeyProof.networks("2001:db8:12:34ff::7"))
                .containsExactly("2001:db8:12:3400::/56", "2001:db8:12:34ff::/64");
        assertThat(KeyProof.networks("2001:db8::7")).containsExactly("2001:db8::/56", "2001:db8::/64");
    }

    @Test
    void whatIsNoIpv6AddressHasNone() {
        assertThat(KeyProof.networks("203.0.113.7")).isEmpty();
        assertThat(KeyProof.networks("Bearer: x")).isEmpty();
        assertThat(KeyProof.networks("::::")).isEmpty();
    }
}
