package dev.why429.analyzers;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;

/** The order of the stages, and who may know which library. */
@AnalyzeClasses(packages = "dev.why429.analyzers", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String BASE = "dev.why429.analyzers.";

    /** In reading order. */
    private static final List<String> STAGES = List.of(
            "source", "parse", "redact", "store", "capture", "join", "attribute", "reconstruct", "detect", "replay");

    @ArchTest
    static void aStageKnowsOnlyEarlierOnes(JavaClasses classes) {
        for (int stage = 0; stage < STAGES.size(); stage++) {
            String[] later = STAGES.subList(stage + 1, STAGES.size()).stream()
                    // store owns the connection and serves every stage
                    .filter(name -> !name.equals("store"))
                    .map(name -> BASE + name + "..")
                    .toArray(String[]::new);
            if (later.length > 0) {
                noClasses()
                        .that()
                        .resideInAPackage(BASE + STAGES.get(stage) + "..")
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage(later)
                        .allowEmptyShould(true)
                        .check(classes);
            }
        }
    }

    @ArchTest
    static final ArchRule theAuditStandsAlone = noClasses()
            .that()
            .resideInAPackage(BASE + "audit..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(STAGES.stream().map(name -> BASE + name + "..").toArray(String[]::new))
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule theCaseFileKnowsNobody = noClasses()
            .that()
            .resideInAPackage(BASE + "casefile..")
            .should()
            .dependOnClassesThat()
            .resideOutsideOfPackages("java..", BASE + "casefile..");

    @ArchTest
    static final ArchRule duckdbOnlyInStore = only("store", "org.duckdb..", "java.sql..");

    @ArchTest
    static final ArchRule redisOnlyInReplay = only("replay", "io.lettuce..", "redis.embedded..");

    @ArchTest
    static final ArchRule syntaxTreesOnlyInAudit = only("audit", "org.treesitter..");

    @ArchTest
    static final ArchRule noDrawerForOddThings =
            noClasses().should().resideInAnyPackage("..util..", "..common..", "..core..", "..manager..", "..helper..");

    private static ArchRule only(String stage, String... libraries) {
        return noClasses()
                .that()
                .resideOutsideOfPackage(BASE + stage + "..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(libraries);
    }
}
