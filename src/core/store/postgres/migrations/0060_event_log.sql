-- Up Migration

-- Where an event stands among those of its team, for readers that come back with a cursor. It gets its position when it is first read: whoever
-- reads sees what is committed, so that one whose transaction ends late follows those that were read before, and is skipped by nobody.
alter table event
  add column position bigint,
  -- the order in which events were written, where their times are equal
  add column entry bigint generated always as identity;
create unique index event_position on event (team_id, position);
create index event_unplaced on event (team_id, at, entry) where position is null;

-- How far the positions of a team's events go. Its row is locked while events are given theirs.
create table event_log (
  team_id integer primary key references team (id),
  last_position bigint not null,
  -- up to here events were removed, so that a cursor before it has missed some
  removed_position bigint not null default 0
);

-- Down Migration

drop table event_log;
drop index event_unplaced;
drop index event_position;
alter table event drop column position, drop column entry;
