WITH denial AS (
    SELECT CASE WHEN a.capture IS NULL THEN 'F' || a.file || ':' || a.line ELSE 'C' || a.capture END AS id,
           a.layer, a.component, split_part(a.component, ' ', 1) AS family, a.file, a.line, a.capture, coalesce(r.logged_at, c.captured_at) AS moment,
           lower(concat_ws(' ', r.response_body, r.logged_message, r.other_fields, c.body)) AS said,
           -- headers in an application's log are the application's own, and the denial is another's
           a.layer = 'third_party' AND a.capture IS NULL AND coalesce(i.layer, 'unknown') IN ('app', 'gateway', 'cdn') AS passed_on
    FROM attributions a LEFT JOIN requests r ON r.file = a.file AND r.line = a.line LEFT JOIN captures c ON c.capture = a.capture
    LEFT JOIN inputs i ON i.file = a.file
    WHERE a.visible AND a.reason = 'limit'),
worded AS (
    SELECT *, CASE
        WHEN regexp_matches(said, 'secondary rate limit|abuse detection|content creation') THEN 'a secondary limit'
        WHEN regexp_matches(said, 'unauthenticated|anonymous|not authenticated|without (authentication|credentials)') THEN 'the limit of anonymous callers'
        WHEN regexp_matches(said, 'insufficient_quota|current quota|out of call volume quota|quota ?violation|quota[ _]?exceeded|quota (has been )?(reached|exhausted)|exceeded [^.]{0,40}quota|usage plan|limitexceededexception|"limit exceeded"|totalrequests limit|(daily|monthly) (request |api |usage )?(limit|quota)|requests? per (day|month)') THEN 'a quota'
        WHEN regexp_matches(said, 'tokens? per (min|day)|\btpm\b|token (rate )?limit|(input|output) tokens') THEN 'a rate of tokens'
        WHEN regexp_matches(said, 'concurren|in.?flight|too many (open|parallel|simultaneous)') THEN 'a limit of concurrent calls'
        WHEN regexp_matches(said, 'requests? per (sec|min|hour)|\brpm\b|rate exceeded|throttl|spike ?arrest|too ?many ?requests|rate.?limit|slow ?down|per second') THEN 'a rate'
    END AS kind
    FROM denial),
policies AS (
    SELECT w.id, any_value(w.layer) AS layer, any_value(w.component) AS component, any_value(w.kind) AS kind, any_value(w.moment) AS moment,
           min(q.remaining) AS least, max(q.remaining) AS most, arg_max(q.limit_value, q.remaining) AS limit_value,
           min(q.remaining / nullif(q.limit_value, 0)) AS least_share, max(q.remaining / nullif(q.limit_value, 0)) AS most_share,
           string_agg(DISTINCT q.policy, ', ') FILTER (q.remaining < 1 AND NOT regexp_matches(coalesce(q.policy, 'hour'), '^(second|minute|hour|day|week|month|year)$')) AS empty_one,
           count(*) FILTER (q.remaining >= 1 AND q.remaining >= 0.1 * q.limit_value AND q.policy IS NOT NULL) AS full_ones
    FROM worded w JOIN quotas q ON (q.capture = w.capture) OR (q.file = w.file AND q.line = w.line)
    WHERE NOT w.passed_on AND q.remaining IS NOT NULL AND q.limit_value > 0
    GROUP BY w.id),
told AS (
    SELECT id, layer, component, moment, 1 AS rank, coalesce(kind, 'a limit that the headers do not show') AS refused_by, least AS remaining, limit_value,
           CAST(least AS BIGINT) || ' of ' || CAST(limit_value AS BIGINT) || ' were left by the headers of the very answer that refused' AS because,
           CASE WHEN least_share >= 0.5 OR kind IN ('a secondary limit', 'a limit of concurrent calls') THEN 'high' ELSE 'medium' END AS severity
    FROM policies
    WHERE least >= 1 AND (least_share >= 0.5 OR (least_share >= 0.1 AND kind IN ('a secondary limit', 'a quota', 'a limit of concurrent calls', 'the limit of anonymous callers')))
    UNION ALL
    SELECT id, layer, component, moment, 2, 'the limit "' || empty_one || '"', most, limit_value,
           'the headers name several limits: "' || empty_one || '" is used up, of another ' || CAST(most AS BIGINT) || ' of ' || CAST(limit_value AS BIGINT) || ' are left', 'high'
    FROM policies WHERE empty_one IS NOT NULL AND full_ones > 0
    UNION ALL
    SELECT w.id, w.layer, w.component, w.moment, 3, w.kind, NULL, NULL,
           'denials of ' || w.family || ' with the same status name different limits: ' || f.kinds, 'high'
    FROM worded w JOIN (SELECT layer, family, string_agg(DISTINCT kind, ', ' ORDER BY kind) AS kinds FROM worded WHERE kind IS NOT NULL AND family <> 'unknown'
                        GROUP BY layer, family HAVING count(DISTINCT kind) > 1) f USING (layer, family)
    WHERE w.kind IS NOT NULL
    UNION ALL
    SELECT id, layer, component, moment, 4, kind, NULL, NULL, 'the answer names it: it is shared by all who do not log in from there', 'medium'
    FROM worded WHERE kind = 'the limit of anonymous callers'
    UNION ALL
    SELECT id, layer, component, moment, 4, kind, NULL, NULL, 'the answer names it, and no header counts it', 'high'
    FROM worded WHERE kind = 'a secondary limit'),
best AS (SELECT *, min(rank) OVER (PARTITION BY layer, component) AS first, count(*) OVER (PARTITION BY layer, component, rank) AS n FROM told),
-- one contradiction among many denials is a race, not a second limit
shared AS (
    SELECT b.*, row_number() OVER (PARTITION BY b.layer, b.component ORDER BY b.moment, b.id) AS k
    FROM best b JOIN (SELECT layer, component, count(*) AS all_of FROM worded GROUP BY layer, component) d USING (layer, component)
    WHERE b.rank = b.first AND b.n >= 0.2 * d.all_of)
SELECT layer AS subject_layer, component AS subject_component, NULL AS limiter, min(moment) AS from_at, max(moment) AS to_at,
       CASE WHEN any_value(rank) <= 2 THEN 0.9 ELSE 0.8 END AS confidence, 0 AS explained,
       string_agg(id, ' ' ORDER BY k) FILTER (k <= 5) AS evidence, arg_min(because, k) AS because,
       count(*) AS responses, arg_min(refused_by, k) AS refused_by,
       string_agg(DISTINCT refused_by, chr(10) ORDER BY refused_by) AS limits,
       CASE WHEN bool_or(severity = 'high') THEN 'high' ELSE 'medium' END AS severity
FROM shared GROUP BY layer, component ORDER BY responses DESC, component
