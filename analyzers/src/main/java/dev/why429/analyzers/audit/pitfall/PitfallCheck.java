package dev.why429.analyzers.audit.pitfall;

import dev.why429.analyzers.audit.fact.Facts;

/** Recognises one pitfall, or a family, in the facts. Speaks only when it knows both the limiter and what breaks it. */
interface PitfallCheck {
    void look(Facts facts, Findings findings);
}
