-- A limiter that counts admissions only has room again one window after the last of them. A client that keeps asking and gets nothing for
-- three windows is counted for what it was denied. The limit is what the responses say, what a note or an option promises, or what was found.
WITH told AS (SELECT client, min(limit_value) AS "limit", arg_min(window_seconds, limit_value) AS window_seconds FROM answers WHERE limit_value > 0 AND window_seconds BETWEEN 1 AND 900 GROUP BY client),
promised AS (SELECT count AS "limit", per_seconds AS window_seconds FROM promises WHERE per_seconds BETWEEN 1 AND 900 ORDER BY per_seconds LIMIT 1),
found AS (SELECT min(limit_low) AS "limit", arg_min(window_seconds, limit_low) AS window_seconds FROM found_limiters
          WHERE denied_count AND limit_low IS NOT NULL AND window_seconds BETWEEN 1 AND 900 AND algorithm IN ('sliding_window_log', 'sliding_window_counter') HAVING count(*) > 0),
asked AS (
    SELECT coalesce(s.api_key, s."user", s.client_ip, '') AS client, s.denied AND s.reason = 'limit' AS denied, s.status, s.at_us, s.moment, s.file, s.line, s.stamp_us, s.outer_line
    FROM seen s WHERE s.status < 500),
limited AS (
    SELECT a.*, coalesce(t."limit", (SELECT "limit" FROM promised), (SELECT "limit" FROM found)) AS "limit",
           coalesce(t.window_seconds, (SELECT window_seconds FROM promised), (SELECT window_seconds FROM found)) AS w
    FROM asked a LEFT JOIN told t ON t.client = a.client),
runs AS (SELECT *, sum(CASE WHEN denied THEN 0 ELSE 1 END) OVER (PARTITION BY client ORDER BY at_us, outer_line ROWS UNBOUNDED PRECEDING) AS run FROM limited WHERE w IS NOT NULL),
starved AS (
    SELECT client, run, any_value("limit") AS "limit", any_value(w) AS w, count(*) FILTER (denied) AS denied, min(at_us) AS from_us, max(at_us) AS to_us,
           (max(at_us) - min(at_us) FILTER (denied)) / 1e6 AS seconds, bool_or(NOT denied) AS after_admission,
           array_to_string(list('F' || file || ':' || line ORDER BY at_us) FILTER (denied)[1:5], ' ') AS ids, min(moment) FILTER (denied) AS from_at, max(moment) AS to_at,
           max(gap) AS widest
    FROM (SELECT *, (at_us - lag(at_us) OVER (PARTITION BY client, run ORDER BY at_us, outer_line)) / 1e6 AS gap FROM runs) GROUP BY client, run),
long AS (
    SELECT *, row_number() OVER (PARTITION BY client ORDER BY seconds DESC) AS n FROM starved
    WHERE after_admission AND seconds >= 3 * w AND denied >= 4
      -- it kept asking: fewer requests than the limit in a window would have passed even so
      AND widest <= w AND denied * w / seconds > "limit" * 0.95
      -- near the limit: a flood would starve others, not itself
      AND denied * w / seconds <= 20 * "limit"),
worst AS (SELECT *, count(*) OVER () AS clients, row_number() OVER (ORDER BY denied DESC, client) AS place, sum(denied) OVER () AS all_denied FROM long WHERE n = 1)
SELECT client AS subject_client, NULL AS limiter, from_at, to_at, 0.92 AS confidence, all_denied AS explained, ids AS evidence,
       'no admission for ' || round(seconds, 1) || ' s, although the window of ' || w || ' s held none any more' || chr(10) || 'the client asked the whole time, a little over the limit' AS because,
       "limit", w AS window_seconds, round(denied * w / seconds, 2) AS offered, round(seconds, 3) AS starved_seconds, denied, floor(seconds / w) * "limit" AS would_have_passed, clients
FROM worst WHERE place = 1
