-- The figures of the report, the way one would write them for DuckDB over one app's export.
-- The placeholder after the first FROM is replaced by duckdb.mjs: the reader of the CSV or of the NDJSON.

-- Read once, keep what the figures need. Instants stay in whole nanoseconds, since a microsecond
-- would merge neighbouring ticks of the export.
CREATE TEMP TABLE request AS
WITH source AS (FROM @source),
classified AS (
  SELECT
    cloud_RoleInstance AS instance,
    epoch_ns("timestamp") AS start_ns,
    id,
    duration AS duration_ms,
    CASE
      WHEN starts_with(url, 'https://') OR starts_with(url, 'http://') THEN
        CASE
          WHEN resultCode = '101' THEN 'other'
          WHEN operation_SyntheticSource <> '' THEN 'synthetic'
          WHEN regexp_matches(url, '(?i)^https?://[^/?#]+/(alive|health(z|/live|/ready|/startup)?|livez|readyz?|startupz|actuator/health(/liveness|/readiness)?)/?([?#]|$)') THEN 'probe'
          ELSE 'user'
        END
      WHEN resultCode = '0' AND (starts_with(url, 'amqp') OR starts_with(url, 'sb:') OR name LIKE '%.ProcessMessage'
        OR name LIKE '%.ProcessSessionMessage' OR name LIKE '% process' OR name LIKE '% receive') THEN 'consumer'
      ELSE 'other'
    END AS class,
    CASE WHEN itemCount >= 1 THEN itemCount ELSE 1 END AS item_count,
    CASE WHEN rate >= 99.99 AND rate <= 100 THEN 100 WHEN rate > 0 AND rate < 99.99 THEN rate END AS rate
  FROM source
)
-- A row without a rate weighs its item count; with one 100 / rate, whatever the item count says.
SELECT instance, start_ns, id, duration_ms, class, coalesce(100 / rate, item_count) AS w
FROM classified;

-- New instances: their first row of any kind is at least 10 minutes after the start of the data.
CREATE TEMP TABLE instance AS
SELECT
  instance,
  min(start_ns) >= (SELECT min(start_ns) FROM request) + 600_000_000_000 AS is_new
FROM request
WHERE instance <> ''
GROUP BY instance
HAVING bool_or(class = 'user');

-- Arrival order: the observed rank, and the estimated order from the weights of the rows before.
CREATE TEMP TABLE ranked AS
SELECT
  rank, duration_ms,
  CASE WHEN rank = 1 THEN 1 ELSE w END AS w,
  CASE
    WHEN position <= 3 THEN position
    WHEN position <= 5 THEN 4
    WHEN position <= 10 THEN 5
    WHEN position <= 20 THEN 6
    WHEN position <= 100 THEN 7
    ELSE 8
  END::UTINYINT AS bucket,
  rank > 1 AND (start_ns - first_start_ns) < first_duration_ms * 1e6 AS overlapping
FROM (
  SELECT
    start_ns, duration_ms, w,
    row_number() OVER arrival AS rank,
    floor(1.5 + 1e-9 + sum(w) OVER arrival - w) AS position,
    first_value(start_ns) OVER arrival AS first_start_ns,
    first_value(duration_ms) OVER arrival AS first_duration_ms
  FROM request SEMI JOIN (FROM instance WHERE is_new) USING (instance)
  WHERE class = 'user'
  WINDOW arrival AS (PARTITION BY instance ORDER BY start_ns, id ROWS UNBOUNDED PRECEDING)
);

CREATE TEMP TABLE by_order AS
WITH cumulative AS (
  SELECT bucket, duration_ms, sum(w) OVER (PARTITION BY bucket ORDER BY duration_ms ROWS UNBOUNDED PRECEDING) AS upto
  FROM ranked
),
total AS (
  SELECT bucket, count(*) AS observed, sum(w) AS estimated,
    coalesce(sum(w) FILTER (WHERE duration_ms > 2000), 0) / sum(w) AS over_share
  FROM ranked GROUP BY bucket
)
SELECT
  bucket,
  any_value(observed)::DOUBLE AS observed,
  any_value(estimated) AS estimated,
  min(duration_ms) FILTER (WHERE upto >= 0.5 * estimated * (1 - 1e-9)) AS p50,
  min(duration_ms) FILTER (WHERE upto >= 0.9 * estimated * (1 - 1e-9)) AS p90,
  any_value(over_share) AS over_share
FROM cumulative JOIN total USING (bucket)
GROUP BY bucket;

-- One row for each of the few requests that the unweighted figures are made of.
CREATE TEMP VIEW early AS FROM ranked WHERE rank <= 2;

SELECT {
  'rows': (
    SELECT {
      'read': count(*)::DOUBLE,
      'consumer': count(*) FILTER (WHERE class = 'consumer')::DOUBLE,
      'other': count(*) FILTER (WHERE class = 'other')::DOUBLE,
      'synthetic': count(*) FILTER (WHERE class = 'synthetic')::DOUBLE,
      'probe': count(*) FILTER (WHERE class = 'probe')::DOUBLE,
      'user': count(*) FILTER (WHERE class = 'user')::DOUBLE
    } FROM request
  ),
  'requests': (
    SELECT { 'observed': count(*)::DOUBLE, 'estimated': sum(w) } FROM request WHERE class = 'user'
  ),
  'instances': (
    SELECT {
      'total': count(*) FILTER (WHERE is_new)::DOUBLE,
      'excluded': { 'birthUnknown': count(*) FILTER (WHERE NOT is_new)::DOUBLE }
    } FROM instance
  ),
  'firstRequest': (
    SELECT {
      'n': count(*)::DOUBLE,
      'p50Ms': quantile_disc(duration_ms, 0.5),
      'p90Ms': quantile_disc(duration_ms, 0.9),
      'p99Ms': quantile_disc(duration_ms, 0.99),
      'overThreshold': {
        'count': count(*) FILTER (WHERE duration_ms > 2000)::DOUBLE,
        'share': avg((duration_ms > 2000)::DOUBLE)
      }
    } FROM early WHERE rank = 1
  ),
  'byOrder': (
    SELECT list({
      'label': ['1', '2', '3', '4-5', '6-10', '11-20', '21-100', '>100'][bucket],
      'observed': observed,
      'estimated': estimated,
      'p50Ms': p50,
      'p90Ms': p90,
      'overThresholdShare': over_share
    } ORDER BY bucket) FROM by_order
  ),
  'second': {
    'sequential': (
      SELECT {
        'n': count(*)::DOUBLE,
        'p50Ms': quantile_disc(duration_ms, 0.5),
        'p90Ms': quantile_disc(duration_ms, 0.9),
        'overThresholdShare': avg((duration_ms > 2000)::DOUBLE)
      } FROM early WHERE rank = 2 AND NOT overlapping
    ),
    'overlapping': (
      SELECT {
        'n': count(*)::DOUBLE,
        'p50Ms': quantile_disc(duration_ms, 0.5),
        'p90Ms': quantile_disc(duration_ms, 0.9),
        'overThresholdShare': avg((duration_ms > 2000)::DOUBLE)
      } FROM early WHERE rank = 2 AND overlapping
    )
  },
  'overlap': (
    SELECT { 'perInstance': coalesce(sum(w) FILTER (WHERE overlapping), 0) / count(*) FILTER (WHERE rank = 1) }
    FROM ranked
  )
} AS figures;
