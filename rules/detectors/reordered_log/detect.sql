-- Once is a clock that was set; a stamp of the start is as old as the request is long.
WITH stepped AS (
    SELECT r.file, r.line, epoch(lag(r.logged_at) OVER (PARTITION BY r.file ORDER BY r.line)) - epoch(r.logged_at) AS back, r.logged_at
    FROM requests r),
counted AS (
    SELECT s.file, count(*) AS n, max(back) AS most, min(s.logged_at) AS from_at, max(s.logged_at) AS to_at,
           string_agg('F' || s.file || ':' || s.line, ' ' ORDER BY s.line) AS ids
    FROM stepped s JOIN inputs i ON i.file = s.file
    LEFT JOIN (SELECT file, max(duration_micros) / 1e6 AS longest FROM requests GROUP BY file) d ON d.file = s.file
    WHERE back > greatest(1, i.time_resolution_seconds) + CASE WHEN i.time_means = 'start' THEN coalesce(d.longest, 60) ELSE 0 END
    GROUP BY s.file)
SELECT i.path AS subject_path, NULL AS limiter, c.from_at, c.to_at, 0.9 AS confidence, 0 AS explained, array_to_string(string_split(c.ids, ' ')[1:5], ' ') AS evidence,
       'a stamp of the end of each request can only grow from line to line' AS because, c.n AS times, round(c.most, 3) AS max_disorder_seconds
FROM counted c JOIN inputs i ON i.file = c.file WHERE c.n >= 3 ORDER BY c.n DESC, c.file
