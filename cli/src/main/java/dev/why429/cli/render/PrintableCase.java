package dev.why429.cli.render;

import dev.why429.analyzers.casefile.Case;
import dev.why429.cli.Printable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A case as {@code case.json} has it, with every hidden character of every text made visible: what templates are given. */
public final class PrintableCase {
    private PrintableCase() {}

    /** Maps, lists, texts, numbers, booleans; an unknown value is null. */
    public static Map<String, Object> asTree(Case theCase) {
        return map(CaseJson.asTree(theCase));
    }

    private static Map<String, Object> map(Map<?, ?> map) {
        Map<String, Object> printable = new LinkedHashMap<>();
        map.forEach((name, value) -> printable.put(Printable.of(String.valueOf(name)), value(value)));
        return printable;
    }

    private static Object value(Object value) {
        if (value instanceof String text) {
            return Printable.of(text);
        }
        if (value instanceof Map<?, ?> map) {
            return map(map);
        }
        if (value instanceof List<?> list) {
            List<Object> printable = new ArrayList<>(list.size());
            list.forEach(each -> printable.add(value(each)));
            return printable;
        }
        return value;
    }
}
