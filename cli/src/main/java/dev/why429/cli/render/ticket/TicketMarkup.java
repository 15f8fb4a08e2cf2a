package dev.why429.cli.render.ticket;

import dev.why429.analyzers.ticket.Ticket;
import dev.why429.cli.render.CaseJson;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A letter as Markdown, as a page, or as JSON; what it says is escaped for each. */
final class TicketMarkup {
    private TicketMarkup() {}

    static String markdown(String title, List<TicketLetter.Section> sections) {
        StringBuilder out = new StringBuilder("# " + plain(title) + "\n");
        for (TicketLetter.Section section : sections) {
            out.append("\n## ").append(plain(section.heading())).append("\n\n");
            section.sentences().forEach(sentence -> out.append(plain(sentence)).append('\n'));
            section.bullets()
                    .forEach(bullet -> out.append("- ").append(plain(bullet)).append('\n'));
            for (int i = 0; i < section.table().size(); i++) {
                List<String> row = section.table().get(i);
                out.append(row.stream().map(TicketMarkup::cell).collect(Collectors.joining(" | ", "| ", " |\n")));
                if (i == 0) {
                    out.append("|").append(" --- |".repeat(row.size())).append('\n');
                }
            }
        }
        return out.toString();
    }

    /** Nothing from a log may become a link, markup or HTML. */
    private static String plain(String text) {
        StringBuilder out = new StringBuilder(text.length() + 8);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if ("\\`*[]<>#|".indexOf(c) >= 0 || (c == '_' && out.length() == 0)) {
                out.append('\\');
            }
            out.append(c);
        }
        return out.toString();
    }

    private static String cell(String text) {
        return plain(text);
    }

    static String html(String language, String title, List<TicketLetter.Section> sections) {
        StringBuilder out = new StringBuilder("<!DOCTYPE html>\n<html lang=\"" + escaped(language)
                + "\">\n<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'\">\n<title>"
                + escaped(title) + "</title>\n</head>\n<body>\n<h1>" + escaped(title) + "</h1>\n");
        for (TicketLetter.Section section : sections) {
            out.append("<h2>").append(escaped(section.heading())).append("</h2>\n");
            section.sentences()
                    .forEach(sentence ->
                            out.append("<p>").append(escaped(sentence)).append("</p>\n"));
            if (!section.bullets().isEmpty()) {
                out.append("<ul>\n");
                section.bullets()
                        .forEach(bullet ->
                                out.append("<li>").append(escaped(bullet)).append("</li>\n"));
                out.append("</ul>\n");
            }
            if (!section.table().isEmpty()) {
                out.append("<table>\n");
                for (int i = 0; i < section.table().size(); i++) {
                    String tag = i == 0 ? "th" : "td";
                    out.append("<tr>");
                    section.table()
                            .get(i)
                            .forEach(cell -> out.append('<')
                                    .append(tag)
                                    .append('>')
                                    .append(escaped(cell))
                                    .append("</")
                                    .append(tag)
                                    .append('>'));
                    out.append("</tr>\n");
                }
                out.append("</table>\n");
            }
        }
        return out.append("</body>\n</html>\n").toString();
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    static String json(Ticket ticket, String language, String reply) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("schema", "ticket-v1");
        all.put("ticket", ticket);
        all.put("language", language);
        all.put("reply", reply);
        return CaseJson.text(all);
    }
}
