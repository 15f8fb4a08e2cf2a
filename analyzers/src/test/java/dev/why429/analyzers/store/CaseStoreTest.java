package dev.why429.analyzers.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TimeZone;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CaseStoreTest {
    private static final Instant NOON = Instant.parse("2026-03-29T02:30:00.123456Z");

    @TempDir
    Path folder;

    private CaseStore store;

    @BeforeEach
    void open() {
        store = CaseStore.create(folder.resolve("case.duckdb"), folder, 2, 200);
        store.execute(
                "CREATE TABLE t(id INTEGER, moment TIMESTAMP, name VARCHAR, share DOUBLE, yes BOOLEAN, parts VARCHAR[])");
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void nothingButItsOwnFileCanBeReached() throws Exception {
        Path csv = Files.writeString(folder.resolve("x.csv"), "a,b\n1,2\n");
        List<String> allowed = new ArrayList<>();
        for (String sql : List.of(
                "SELECT * FROM read_csv('" + csv + "')",
                "SELECT * FROM read_text('" + csv + "')",
                "SELECT * FROM '" + csv + "'",
                "SELECT * FROM glob('" + folder + "/*')",
                "COPY t TO '" + folder.resolve("out.csv") + "'",
                "COPY t FROM '" + csv + "'",
                "EXPORT DATABASE '" + folder.resolve("out") + "'",
                "ATTACH '" + folder.resolve("other.duckdb") + "'",
                "INSTALL httpfs",
                "LOAD httpfs",
                "SET enable_external_access=true",
                "SET memory_limit='100GB'")) {
            try {
                store.execute(sql);
                allowed.add(sql);
            } catch (StoreException refused) {
                assertThat(refused).hasMessageContaining(sql);
            }
        }
        assertThat(allowed).isEmpty();
        assertThat(folder.resolve("out.csv")).doesNotExist();
    }

    @Test
    void aValueIsNeverSql() {
        String hostile = "'); DROP TABLE t; --";
        store.execute("INSERT INTO t(id, name) VALUES (?, ?)", 1, hostile);
        assertThat(store.query("SELECT name FROM t WHERE name = ?", row -> row.text("name"), hostile))
                .containsExactly(hostile);
    }

    @Test
    void timesDoNotDependOnTheMachinesZone() {
        TimeZone before = TimeZone.getDefault();
        try {
            // 02:30 does not exist there on that day
            TimeZone.setDefault(TimeZone.getTimeZone("Europe/Berlin"));
            store.execute("INSERT INTO t(id, moment) VALUES (1, ?)", NOON);
            try (TableWriter writer = store.writer("t")) {
                writer.integer(2)
                        .instant(NOON)
                        .text("n")
                        .number(0.5)
                        .bool(true)
                        .texts(List.of("a", "b"))
                        .endRow();
            }
            assertThat(store.query("SELECT moment FROM t ORDER BY id", row -> row.instant("moment")))
                    .containsExactly(NOON, NOON);
            assertThat(store.query(
                            "SELECT epoch_us(moment) AS micros FROM t WHERE id = 2", row -> row.integer("micros")))
                    .containsExactly(NOON.getEpochSecond() * 1_000_000 + 123_456);
        } finally {
            TimeZone.setDefault(before);
        }
    }

    @Test
    void aResultIsReadIntoArrays() {
        try (TableWriter writer = store.writer("t")) {
            for (int i = 0; i < 5000; i++) {
                writer.integer(i)
                        .instant(NOON.plusSeconds(i))
                        .text("n" + i)
                        .number(i / 2.0)
                        .bool(i % 2 == 1)
                        .absent()
                        .endRow();
            }
        }
        Columns columns = store.columns(
                "SELECT id, moment, name, share, yes, nullif(id, 17) AS gap FROM t WHERE id >= ? ORDER BY id", 10);
        assertThat(columns.rows()).isEqualTo(4990);
        assertThat(columns.longs("id")).hasSize(4990).startsWith(10, 11);
        assertThat(columns.longs("moment")[0]).isEqualTo((NOON.getEpochSecond() + 10) * 1_000_000 + 123_456);
        assertThat(columns.doubles("share")[4989]).isEqualTo(2499.5);
        assertThat(columns.text("name", 1)).isEqualTo("n11");
        assertThat(columns.longs("yes")).startsWith(0, 1);
        assertThat(columns.isNull("gap", 7)).isTrue();
        assertThat(store.columns("SELECT id FROM t WHERE id < 0").longs("id")).isEmpty();
    }

    @Test
    void aCaseThatIsOpenedForQuestionsCannotBeChanged() {
        store.execute("INSERT INTO t(id) VALUES (1)");
        store.close();
        try (CaseStore reading = CaseStore.read(folder.resolve("case.duckdb"), folder, 1, 100)) {
            assertThat(reading.query("SELECT id FROM t", row -> row.integer("id")))
                    .containsExactly(1L);
            assertThatThrownBy(() -> reading.execute("INSERT INTO t(id) VALUES (2)"))
                    .isInstanceOf(StoreException.class);
        }
    }

    @Test
    void whatDoesNotFitTheMemoryFindsItsFolder(@TempDir Path somewhere) {
        Path spill = somewhere.resolve("work").resolve("spill");
        try (CaseStore store = CaseStore.create(somewhere.resolve("large.duckdb"), spill, 1, 64)) {
            assertThat(store.query(
                            "SELECT count(*) AS n FROM (SELECT md5(i::VARCHAR) AS x FROM range(2000000) r(i) ORDER BY x)",
                            row -> row.integer("n")))
                    .containsExactly(2_000_000L);
            store.execute(
                    "CREATE TEMP TABLE sorted AS SELECT md5(i::VARCHAR) AS x FROM range(2000000) r(i) ORDER BY x");
        }
        assertThat(spill).isDirectory();
    }
}
