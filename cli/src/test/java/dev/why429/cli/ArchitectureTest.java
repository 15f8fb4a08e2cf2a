package dev.why429.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The borders of the house, seen from the room that sees all others. */
@AnalyzeClasses(packages = "dev.why429", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule nothingPointsBackToTheCommandLine = noClasses()
            .that()
            .resideOutsideOfPackage("dev.why429.cli..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.why429.cli..");

    @ArchTest
    static final ArchRule picocliOnlyInTheCommands = noClasses()
            .that()
            .resideOutsideOfPackage("dev.why429.cli")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("picocli..");

    @ArchTest
    static final ArchRule freemarkerOnlyInTheHtmlRenderer = noClasses()
            .that()
            .resideOutsideOfPackage("dev.why429.cli.render.html..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("freemarker..");

    @ArchTest
    static final ArchRule theCommandLineKnowsNoEngine = noClasses()
            .that()
            .resideInAPackage("dev.why429.cli..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.duckdb..", "java.sql..", "io.lettuce..", "redis.embedded..", "org.treesitter..");

    @ArchTest
    static final ArchRule reportsReadTheCaseAndNothingElse = noClasses()
            .that()
            .resideInAPackage("dev.why429.cli.render.html..")
            .should()
            .dependOnClassesThat(
                    com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage("dev.why429.analyzers..")
                            .and(com.tngtech.archunit.base.DescribedPredicate.not(
                                    com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage(
                                            "dev.why429.analyzers.casefile.."))));

    @ArchTest
    static void nothingIsExecutedNorFetched(JavaClasses classes) {
        noClasses()
                .that()
                .resideInAnyPackage("dev.why429.cli..", "dev.why429.rules..")
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.lang.ProcessBuilder")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("javax.script.ScriptEngine")
                .orShould()
                .callMethod(java.net.URL.class, "openStream")
                .check(classes);
    }
}
