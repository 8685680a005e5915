-- title: Release dates, as published and as read
-- rebuilds: new
-- evidence: none
-- key: kind, name
-- column: kind | text | model, architecture (first PTX version with the target instructions) or flash-attention
-- column: name | text | what was released
-- column: arch | text | architecture that a FlashAttention version is for; empty for models
-- column: published | text | the date as the source writes it
-- column: date | text | the same as YYYY-MM-DD; empty where there is no such day
-- column: is_a_day | integer | 1: the published text is a day of the calendar
-- note: FlashAttention 4's date is published as 2025-0631. June has 30 days: no day is put in its place here. Upstream's viewer shows
-- | 2025-07-01, because JavaScript counts the surplus day over into the next month
-- note: of s0 to s6 the date is when training began; it is not in the order of their names
SELECT kind, name, arch, published, date, date IS NOT NULL AS is_a_day
FROM fact_release_dates
ORDER BY kind, ifnull(date, published), name;
-- lineage: arch, published, date, is_a_day
SELECT 'artifact/facts/release_dates.jsonl' AS file, d.line FROM fact_release_dates d WHERE d.kind = :kind AND d.name = :name;
