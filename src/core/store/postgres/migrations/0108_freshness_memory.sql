-- Up Migration

-- What the judgement of a body goes on with while no newer load names it: the newest load that did, and its rhythm. Null before the first judgement
-- that kept it.
alter table body_freshness add column learned jsonb;

-- The teams that were sent the event.
alter table body_change add column team_ids integer[] not null default '{}';
update body_change c set team_ids = array(
  select distinct e.team_id from event e where e.type = c.type and e.subject_id = c.body_key and e.at >= c.at);
alter table body_change alter column team_ids drop default;

-- Down Migration

alter table body_change drop column team_ids;
alter table body_freshness drop column learned;
