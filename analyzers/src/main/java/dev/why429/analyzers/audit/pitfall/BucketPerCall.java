package dev.why429.analyzers.audit.pitfall;

import static dev.why429.analyzers.audit.pitfall.Findings.related;

import dev.why429.analyzers.audit.fact.Facts;
import dev.why429.analyzers.audit.read.SourceFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Bucket4j: a bucket that lives for one call. */
final class BucketPerCall implements PitfallCheck {
    private static final Pattern BUCKET_BUILDER = Pattern.compile("Bucket(?:4j)?\\.builder\\(\\)");
    private static final Pattern JAVA_METHOD =
            Pattern.compile("\\bBucket\\s+(\\w{1,60})\\s?\\([^)]{0,200}\\)\\s{0,3}\\{");

    @Override
    public void look(Facts facts, Findings findings) {
        for (SourceFile file : facts.sources().ending(".java", ".kt")) {
            bucket4j(facts, findings, file, CodeText.blanked(file, "//"));
        }
    }

    /** A method that builds and returns a bucket, and a caller that spends from what it returns at once. */
    private static void bucket4j(Facts facts, Findings findings, SourceFile file, String text) {
        Matcher method = JAVA_METHOD.matcher(text);
        while (method.find()) {
            Matcher builder = BUCKET_BUILDER.matcher(text);
            builder.region(method.end(), Math.min(text.length(), method.end() + 300));
            if (!builder.find()) {
                continue;
            }
            Pattern spent =
                    Pattern.compile("\\b" + Pattern.quote(method.group(1)) + "\\([^()\\n]{0,80}\\)\\.tryConsume");
            for (SourceFile caller : facts.sources().ending(".java", ".kt")) {
                Matcher call = spent.matcher(CodeText.blanked(caller, "//"));
                if (call.find()) {
                    findings.report(
                            "bucket4j",
                            "state-per-request",
                            "a new bucket is built for each request (" + file.at(builder.start())
                                    + "): it is always full, and tryConsume always succeeds",
                            caller.at(call.start()),
                            related(file.at(builder.start()), "builds a new bucket"));
                }
            }
        }
    }
}
