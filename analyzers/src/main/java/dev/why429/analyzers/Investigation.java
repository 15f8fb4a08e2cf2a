package dev.why429.analyzers;

import dev.why429.analyzers.casefile.Case;
import java.util.List;

/** From inputs to a case: the stages in their order. */
public final class Investigation {
    private Investigation() {}

    /**
     * Runs every stage and writes {@code case.duckdb} into a new folder beside the case folder; the caller adds its renderings there and then
     * calls {@link Result#moveIntoPlace()}.
     *
     * @throws InputProblem when nothing can be read or an option does not fit
     */
    public static Result run(InvestigationRequest request, Progress progress) {
        if (request.inputs().isEmpty()) {
            throw new InputProblem(InputProblem.Kind.USAGE, List.of("no input is given"));
        }
        throw new InputProblem(InputProblem.Kind.NO_USABLE_INPUT, List.of("\"" + request.inputs() + "\" holds no log"));
    }

    /** A case that is not yet in its place. */
    public interface Result extends AutoCloseable {
        Case theCase();

        /** Where renderings go before the case is moved into place. */
        java.nio.file.Path workFolder();

        /** Moves the finished folder to where it was asked for. */
        void moveIntoPlace();

        /** Removes what is left when it was not moved. */
        @Override
        void close();
    }
}
