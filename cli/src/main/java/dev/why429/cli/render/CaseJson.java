package dev.why429.cli.render;

import dev.why429.analyzers.casefile.Case;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdSerializer;

/**
 * {@code case.json}, schema {@code case-v1}: the records of {@link Case} in their order, names in snake_case, keys of maps sorted, instants as
 * ISO-8601 UTC with microseconds, what is not known as null. The same case gives the same bytes.
 */
public final class CaseJson {
    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(
                            StreamReadConstraints.builder().maxNestingDepth(100).build())
                    .build())
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .addModule(new SimpleModule("case-v1")
                    .addSerializer(Instant.class, new MicrosecondInstants())
                    .addSerializer(Double.class, new ShortNumbers())
                    .addSerializer(double.class, new ShortNumbers()))
            .build();

    private CaseJson() {}

    /** The whole file, with a line end at its end. */
    public static String write(Case theCase) {
        return MAPPER.writeValueAsString(theCase) + "\n";
    }

    /** Records, maps and lists named and written as a case is. */
    public static String text(Object value) {
        return MAPPER.writeValueAsString(value) + "\n";
    }

    /** The case as maps, lists, texts and numbers, named and ordered as in the file. */
    static Map<String, Object> asTree(Case theCase) {
        return MAPPER.readerForMapOf(Object.class).readValue(MAPPER.writeValueAsString(theCase));
    }

    /**
     * Reads a case back.
     *
     * @param file a {@code case.json}
     * @throws IOException when it cannot be read or is no case of schema {@code case-v1}
     */
    public static Case read(Path file) throws IOException {
        try {
            Case read = MAPPER.readValue(Files.readString(file), Case.class);
            if (!Case.SCHEMA.equals(read.schema())) {
                throw new IOException("\"" + file + "\" is of schema \"" + read.schema() + "\", expected " + Case.SCHEMA
                        + "; investigate the logs again");
            }
            return withIntervals(read);
        } catch (JacksonException e) {
            throw new IOException("\"" + file + "\" is no case: " + e.getOriginalMessage(), e);
        }
    }

    /** The numbers of a finding are of any kind, so that the reader cannot know an interval when it sees one. */
    private static Case withIntervals(Case read) {
        List<Case.Finding> findings = read.findings().stream()
                .map(finding -> new Case.Finding(
                        finding.id(),
                        finding.kind(),
                        finding.severity(),
                        finding.confidence(),
                        finding.title(),
                        finding.summary(),
                        finding.limiter(),
                        finding.subject(),
                        finding.from(),
                        finding.to(),
                        numbers(finding.numbers()),
                        finding.because(),
                        finding.evidence(),
                        finding.wouldDisprove(),
                        finding.fix(),
                        finding.pitfall(),
                        finding.denialsExplained()))
                .toList();
        return with(read, findings, read.replay());
    }

    /** The same case with other replays. */
    public static Case withReplay(Case theCase, List<Case.Replay> replay) {
        return with(theCase, theCase.findings(), replay);
    }

    /** The same case with other findings. */
    static Case withFindings(Case theCase, List<Case.Finding> findings) {
        return with(theCase, findings, theCase.replay());
    }

    private static Case with(Case read, List<Case.Finding> findings, List<Case.Replay> replay) {
        return new Case(
                read.schema(),
                read.tool(),
                read.inputs(),
                read.span(),
                read.requests(),
                read.denials(),
                read.limiters(),
                findings,
                read.captures(),
                replay,
                read.quiet(),
                read.skipped(),
                read.blindSpots(),
                read.verdict(),
                read.timeline(),
                read.clients(),
                read.lines(),
                read.rejects(),
                read.warnings(),
                read.figures(),
                read.run());
    }

    private static Map<String, Object> numbers(Map<String, Object> numbers) {
        Map<String, Object> typed = new LinkedHashMap<>();
        numbers.forEach((name, value) -> typed.put(name, number(value)));
        return typed;
    }

    private static Object number(Object value) {
        if (value instanceof Map<?, ?> map) {
            if (map.size() == 2 && map.containsKey("low") && map.containsKey("high")) {
                return new Case.Interval(bound(map.get("low")), bound(map.get("high")));
            }
            Map<String, Object> inner = new LinkedHashMap<>();
            map.forEach((name, each) -> inner.put(String.valueOf(name), number(each)));
            return inner;
        }
        return value instanceof List<?> list
                ? list.stream().map(CaseJson::number).toList()
                : value;
    }

    private static Optional<Double> bound(Object value) {
        return value instanceof Number number ? Optional.of(number.doubleValue()) : Optional.empty();
    }

    private static final class MicrosecondInstants extends StdSerializer<Instant> {
        private static final DateTimeFormatter MICROSECONDS = DateTimeFormatter.ofPattern(
                        "uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT)
                .withZone(ZoneOffset.UTC);

        MicrosecondInstants() {
            super(Instant.class);
        }

        @Override
        public void serialize(Instant value, JsonGenerator json, SerializationContext context) {
            json.writeString(MICROSECONDS.format(value));
        }
    }

    /** Whole numbers without {@code .0}, as people write limits and windows. */
    private static final class ShortNumbers extends StdSerializer<Double> {
        private static final double EXACT_UP_TO = 1L << 53;

        ShortNumbers() {
            super(Double.class);
        }

        @Override
        public void serialize(Double value, JsonGenerator json, SerializationContext context) {
            if (!Double.isFinite(value)) {
                throw new IllegalArgumentException("a case holds finite numbers only, not " + value);
            }
            if (value == Math.rint(value) && Math.abs(value) <= EXACT_UP_TO) {
                json.writeNumber(value.longValue());
            } else {
                json.writeNumber(value);
            }
        }
    }
}
