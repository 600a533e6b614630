-- Up Migration

-- The truth about every job; the queue only wakes workers. A job is settled when settled_at is set; its last status is named by its kind, or
-- is `failed`. Times are this server's.
create table job (
  id text primary key,
  kind text not null,
  -- null for work that no team asked for
  team_id integer references team (id),
  user_id integer references app_user (id),
  -- request, route, key and idempotency key that it came from; copied to the ledger
  cause jsonb not null default '{}',
  status text not null default 'queued',
  -- grows with every start: the fencing token of everything that an attempt writes
  attempt integer not null default 0,
  -- attempts that a stopping worker gave back unharmed; they do not count
  handed_back integer not null default 0,
  max_attempts integer not null check (max_attempts > 0),
  -- process of the last attempt
  worker text,
  -- earliest start of the next attempt
  run_after timestamptz not null default now(),
  lease_until timestamptz,
  deadline_ms bigint not null check (deadline_ms > 0),
  -- set by the first attempt
  deadline timestamptz,
  payload jsonb not null,
  progress jsonb not null default '{}',
  result jsonb,
  -- {code, message}, for the customer
  error jsonb,
  -- what went wrong last, for the operator
  last_failure text,
  retriable boolean not null,
  kept interval not null,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  settled_at timestamptz,
  delete_after timestamptz,
  check ((status in ('queued', 'running')) = (settled_at is null)),
  check ((status = 'running') = (lease_until is not null)),
  check ((settled_at is null) = (delete_after is null))
);
create index job_team on job (team_id, kind, created_at desc, id desc);
create index job_queued on job (run_after) where status = 'queued';
create index job_running on job (lease_until) where status = 'running';
create index job_deadline on job (deadline) where settled_at is null;
create index job_failed on job (settled_at) where status = 'failed';
create index job_outlived on job (delete_after) where delete_after is not null;

-- Locks the job for the rest of the transaction and throws LU002 unless this attempt holds it now. Every function that moves money or writes
-- for a job begins with it. clock_timestamp(): the transaction may have waited for the lock.
create function assert_lease(p_job text, p_attempt integer) returns void language plpgsql as $$
declare
  held timestamptz;
begin
  select lease_until into held from job where id = p_job and attempt = p_attempt and status = 'running' for update;
  if held is null or held <= clock_timestamp() then
    raise exception 'attempt % of job % has lost its lease', p_attempt, p_job using errcode = 'LU002';
  end if;
end $$;

-- Down Migration

drop function assert_lease;
drop table job;
