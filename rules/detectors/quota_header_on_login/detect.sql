WITH login AS (
    SELECT * FROM answers WHERE (limit_value IS NOT NULL OR remaining IS NOT NULL)
      AND regexp_matches(route, '(?i)/(log-?in|sign-?in|otp|mfa|2fa|totp|password|forgot[a-z-]*|reset-?password|verify-?(code|otp))(/|$)'))
SELECT NULL AS limiter, min(moment) AS from_at, max(moment) AS to_at, 0.9 AS confidence, 0 AS explained,
       array_to_string(list(id ORDER BY at_us, id)[1:5], ' ') AS evidence,
       'a limit or what is left of it stands in responses of a login route' AS because,
       count(DISTINCT id) AS responses, string_agg(DISTINCT route, chr(10)) AS routes
FROM login HAVING count(*) > 0
