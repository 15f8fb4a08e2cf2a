package dev.why429.cli.render.html;

import dev.why429.analyzers.casefile.Case;
import dev.why429.cli.render.Wording;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;

/** What the script draws, as JSON inside the page. Characters that could end or begin markup stand as {@code \}{@code u003c}. */
final class PageData {
    private static final JsonMapper JSON = new JsonMapper();

    private PageData() {}

    static String of(Case.Timeline timeline, List<Marks.Mark> marks) {
        Map<String, Object> data = new LinkedHashMap<>();
        Optional<Long> from = timeline.from().map(start -> start.toEpochMilli());
        data.put("from", from.map(millis -> millis / 1000.0).orElse(0.0));
        data.put("step", timeline.stepSeconds());
        List<Map<String, Object>> series = new ArrayList<>();
        if (from.isPresent()) {
            TimelineChart.ordered(timeline.series())
                    .forEach((name, counts) -> series.add(
                            Map.of("name", Wording.words(name), "look", TimelineChart.look(name), "counts", counts)));
        }
        data.put("series", series.stream().map(java.util.TreeMap::new).toList());
        List<Map<String, Object>> shown = new ArrayList<>();
        for (Marks.Mark mark : marks) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("letter", mark.letter());
            one.put("from", mark.from().toEpochMilli() / 1000.0);
            one.put("to", mark.to().map(to -> to.toEpochMilli() / 1000.0).orElse(null));
            shown.add(one);
        }
        data.put("marks", shown);
        return inert(JSON.writeValueAsString(data));
    }

    private static String inert(String json) {
        return json.replace("<", "\\u003c")
                .replace(">", "\\u003e")
                .replace("&", "\\u0026")
                .replace("\u2028", "\\u2028")
                .replace("\u2029", "\\u2029");
    }
}
