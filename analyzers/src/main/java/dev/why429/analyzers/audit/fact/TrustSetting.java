package dev.why429.analyzers.audit.fact;

import dev.why429.analyzers.audit.Place;
import dev.why429.analyzers.audit.read.Code;
import dev.why429.analyzers.audit.read.Syntax;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Whom a program believes about the client's address.
 *
 * @param value as written
 * @param hops how many proxies are believed; empty unless it is a number
 */
public record TrustSetting(Extent extent, String value, OptionalDouble hops, Place place) {
    /** How much is believed. */
    public enum Extent {
        NOBODY,
        EVERYBODY,
        HOPS,
        LISTED,
        UNKNOWN
    }

    /** The settings that a program's file makes. */
    static List<TrustSetting> in(Code code) {
        List<TrustSetting> found = new ArrayList<>();
        for (Code.Call call : code.calls()) {
            String first = Code.unquoted(call.argument(0)).toLowerCase(Locale.ROOT);
            if (call.name().equals("set")
                    && first.equals("trust proxy")
                    && call.arguments().size() > 1) {
                found.add(of(code, call.arguments().get(1)));
            } else if (call.name().equals("enable") && first.equals("trust proxy")) {
                found.add(new TrustSetting(Extent.EVERYBODY, "true", OptionalDouble.empty(), call.place()));
            } else if (call.named("trustProxy").isPresent()) {
                found.add(of(code, call.named("trustProxy").orElseThrow()));
            } else if (call.callee().endsWith("ProxyFix")) {
                Optional<Syntax> hops = call.named("x_for");
                found.add(new TrustSetting(
                        Extent.HOPS,
                        "ProxyFix",
                        hops.isPresent() ? code.number(hops.get()) : OptionalDouble.of(1),
                        call.place()));
            } else if (call.name().equals("ProxyHeadersMiddleware")
                    || call.argument(0).equals("ProxyHeadersMiddleware")) {
                boolean all = call.node().text().contains("\"*\"");
                found.add(new TrustSetting(
                        all ? Extent.EVERYBODY : Extent.LISTED,
                        "ProxyHeadersMiddleware",
                        OptionalDouble.empty(),
                        call.place()));
            }
        }
        for (Code.Variable variable : code.variables()) {
            if (variable.name().endsWith(".proxy") && variable.value().text().equals("true")) {
                found.add(new TrustSetting(
                        Extent.EVERYBODY,
                        "true",
                        OptionalDouble.empty(),
                        variable.node().place()));
            }
        }
        return found;
    }

    private static TrustSetting of(Code code, Syntax expression) {
        Syntax value = code.resolve(expression);
        String text = value.text();
        OptionalDouble number = code.number(value);
        Extent extent = text.equals("true")
                ? Extent.EVERYBODY
                : text.equals("false")
                        ? Extent.NOBODY
                        : number.isPresent()
                                ? Extent.HOPS
                                : value.is("string", "array") ? Extent.LISTED : Extent.UNKNOWN;
        if (extent == Extent.LISTED && (text.contains("0.0.0.0/0") || text.contains("::/0"))) {
            extent = Extent.EVERYBODY;
        }
        if (extent == Extent.HOPS && number.getAsDouble() == 0) {
            extent = Extent.NOBODY;
        }
        return new TrustSetting(
                extent, text, extent == Extent.HOPS ? number : OptionalDouble.empty(), expression.place());
    }
}
