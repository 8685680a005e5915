-- claim: C21
-- title: Nothing is lost
-- statement: The turns that were planned are the nine outcomes and the missing turns, added up
-- paper: what any table of outcomes is taken to show
-- evidence: reported
-- expect: HOLDS
-- column: planned | integer | planned turns
-- column: recorded | integer counts turns | turn records
-- column: missing | integer | turns that trajectories lack
-- column: short_trajectories | integer counts trajectories | trajectories with fewer turns than planned
-- column: outcomes | integer | different outcomes
-- note: the published data has no plan: what was planned is taken to be the trajectories that have a record, eight turns each, so a
-- | trajectory that was dropped altogether would not show
WITH lack AS (
	SELECT sum(r.planned_turns
		- t.turns) AS missing, count(*) FILTER (WHERE t.turns < r.planned_turns) AS short, count(*) AS trajectories
	FROM run r JOIN trajectory t USING (run_id)
)
SELECT (SELECT sum(planned_trajectories * planned_turns) FROM run) = count(*) + l.missing
		AND (SELECT sum(planned_trajectories) FROM run) = l.trajectories AND min(t.outcome IN (SELECT outcome FROM outcome WHERE NOT measured)) AS holds,
	(SELECT sum(planned_trajectories * planned_turns)
		FROM run) AS planned, count(*) AS recorded, l.missing, l.short AS short_trajectories,
	count(DISTINCT t.outcome) AS outcomes
FROM turn t CROSS JOIN lack l;
-- lineage: recorded, outcomes
SELECT t.turn_id FROM turn t ORDER BY t.turn_id;
-- lineage: short_trajectories, missing
SELECT t.turn_id FROM turn t JOIN run r USING (run_id) JOIN trajectory s ON s.run_id = t.run_id AND s.trajectory = t.trajectory
WHERE s.turns < r.planned_turns ORDER BY t.turn_id;
