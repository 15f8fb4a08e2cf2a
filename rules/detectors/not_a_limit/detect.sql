WITH hit AS (
    SELECT a.layer, a.component, a.confidence, coalesce(r.logged_at, c.captured_at) AS moment,
           CASE WHEN a.capture IS NULL THEN 'F' || a.file || ':' || a.line ELSE 'C' || a.capture END AS id
    FROM attributions a LEFT JOIN requests r ON r.file = a.file AND r.line = a.line LEFT JOIN captures c ON c.capture = a.capture
    WHERE a.reason = 'not_a_limit' AND a.visible),
ranked AS (SELECT *, row_number() OVER (PARTITION BY layer, component ORDER BY moment, id) AS n FROM hit)
SELECT layer AS subject_layer, component AS subject_component, NULL AS limiter, min(moment) AS from_at, max(moment) AS to_at,
       max(confidence) AS confidence, count(*) AS explained, string_agg(id, ' ' ORDER BY n) FILTER (n <= 5) AS evidence,
       'the answer says itself what it is, and names no counter, no key and no window' AS because,
       count(*) AS responses
FROM ranked GROUP BY layer, component ORDER BY responses DESC, component
