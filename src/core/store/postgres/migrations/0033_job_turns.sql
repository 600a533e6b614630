-- Up Migration

-- Teams take turns: what each has waiting of a kind, and when one of its jobs was begun last. Work of no team counts as that of team 0.
create index job_waiting on job (kind, (coalesce(team_id, 0)), run_after, id) where status = 'queued';
create index job_begun on job (kind, (coalesce(team_id, 0)), started_at desc) where started_at is not null;
-- What a team's kept files take.
create index export_team_file on export (team_id) where file_name is not null;

-- Down Migration

drop index export_team_file;
drop index job_begun;
drop index job_waiting;
