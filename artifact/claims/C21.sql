-- claim: C21
-- title: Nothing is lost
-- statement: Every row of the published turn file is a turn record here, each of one of the nine outcomes; what was planned beyond them
-- | is what short trajectories lack
-- paper: what any table of outcomes is taken to show
-- evidence: reported
-- source: ptxbench
-- expect: HOLDS
-- column: published | integer | rows of the published turn file, as counted when it was read
-- column: recorded | integer counts turns | turn records
-- column: trajectories | integer counts trajectories | trajectories that have one; as many were counted then
-- column: missing | integer | turns that trajectories lack
-- column: short_trajectories | integer counts trajectories | trajectories with fewer turns than planned
-- column: outcomes | integer | different outcomes
-- note: the published data has no plan: what was planned is taken to be the trajectories that have a record, eight turns each, so a
-- | trajectory that was dropped before the data was published would not show
-- note: published comes from artifact/sources/*/source.json, recorded from artifact/runs: that they are equal is a check. derive --check
-- | also demands that the records stand on every line of the published file, each on one
WITH counted AS (
	SELECT sum(turns) AS turns, sum(trajectories) AS trajectories, sum(runs) AS runs FROM source
	WHERE source IN (SELECT r.source FROM run r)
),
lack AS (
	SELECT sum(r.planned_turns - t.turns) AS missing, count(*) FILTER (WHERE t.turns < r.planned_turns) AS short,
		count(*) AS trajectories
	FROM run r JOIN trajectory t USING (run_id)
)
SELECT c.turns = count(*) AND c.trajectories = l.trajectories AND c.runs = (SELECT count(*) FROM run)
		AND (SELECT sum(planned_trajectories * planned_turns) FROM run) = count(*) + l.missing
		AND min(t.outcome_id IN (SELECT outcome_id FROM outcome WHERE NOT measured)) AS holds,
	c.turns AS published, count(*) AS recorded, l.trajectories, l.missing, l.short AS short_trajectories,
	count(DISTINCT t.outcome_id) AS outcomes
FROM turn t CROSS JOIN lack l CROSS JOIN counted c;
-- lineage: recorded, outcomes, trajectories
SELECT t.turn_id FROM turn t;
-- lineage: short_trajectories, missing
SELECT t.turn_id FROM turn t JOIN run r USING (run_id) JOIN trajectory s ON s.run_id = t.run_id AND s.trajectory = t.trajectory
WHERE s.turns < r.planned_turns;
-- lineage: published
SELECT 'artifact/sources/' || s.source || '/source.json' AS file, 1 AS line FROM source s ORDER BY s.source;
