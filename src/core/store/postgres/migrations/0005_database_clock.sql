-- Up Migration

-- The clock that names months, opens them and dates what a pool is charged: the database's, for every process, one moment a statement. Tests
-- replace this function in a schema of their own; no setting, parameter or column gives another time.
create function service_now() returns timestamptz language sql stable as $$ select statement_timestamp() $$;

-- The grant that is due: a plan's name with `lifetime` as it is, with anything else for the month that it is in UTC. Processes say `month`;
-- those of the version before name the month of their own clock, which counts for nothing.
create function granted_now(p_granted_for text) returns text language sql stable as $$
  select case
    when split_part(p_granted_for, ' ', 2) = 'lifetime' then p_granted_for
    else split_part(p_granted_for, ' ', 1) || ' ' || to_char(service_now() at time zone 'UTC', 'YYYY-MM')
  end
$$;

-- The functions below keep their parameters, so that processes of the version before go on; `p_now`, the clock of the process, is not looked at.

-- As before, but a month that was granted ahead of its time and taken back by `mend_pool` is granted anew when it comes.
create or replace function left_of_grant(p_team integer, p_granted_for text) returns integer language sql stable as $$
  select next.balance - next.amount
  from (select id from ledger_entry where team_id = p_team and kind = 'grant' and note = p_granted_for order by id desc limit 1) as made,
    lateral (select balance, amount from ledger_entry where team_id = p_team and kind = 'grant' and id > made.id order by id limit 1) as next
  where not exists (
    select from ledger_entry as later
    where later.team_id = p_team and later.kind = 'grant' and later.id > made.id and later.route = 'admin credits mend'
      and split_part(later.note, ' ', 1) = split_part(p_granted_for, ' ', 1) and later.note < p_granted_for
  )
$$;

-- Locks the pool and brings its grant up to date; returns the balance. An entry is written when the grant changes the month or the plan, also
-- one of 0 credits, so that the history says when. A request that waited over midnight pays from the month that is open already.
create or replace function open_pool(p_team integer, p_now timestamptz, p_granted_for text, p_grant integer) returns integer language plpgsql as $$
declare
  pool credit_pool;
  due text := granted_now(p_granted_for);
  credits integer;
begin
  select * into pool from credit_pool where team_id = p_team for update;
  if not found then
    insert into credit_pool (team_id) values (p_team) on conflict do nothing;
    select * into pool from credit_pool where team_id = p_team for update;
  end if;
  if pool.granted_for = due or (split_part(pool.granted_for, ' ', 1) = split_part(due, ' ', 1) and pool.granted_for > due) then
    return pool.balance;
  end if;
  credits := coalesce(left_of_grant(p_team, due), p_grant);
  insert into ledger_entry (team_id, at, kind, subject, amount, balance, note)
    values (p_team, service_now(), 'grant', 'plan', credits - pool.balance, credits, due);
  update credit_pool set balance = credits, granted_for = due where team_id = p_team;
  return credits;
end $$;

-- The balance, without waiting for deliveries unless the grant has to be brought up to date.
create or replace function pool_balance(
  p_team integer, p_now timestamptz, p_granted_for text, p_grant integer
) returns integer language plpgsql as $$
begin
  return coalesce(
    (select balance from credit_pool where team_id = p_team and granted_for = granted_now(p_granted_for)),
    open_pool(p_team, p_now, p_granted_for, p_grant));
end $$;

-- Changes a locked pool's balance and writes why.
create or replace function enter_credits(
  p_team integer, p_now timestamptz, p_kind text, p_subject text, p_amount integer, p_items integer, p_cause jsonb
) returns integer language plpgsql as $$
declare
  after integer;
begin
  update credit_pool set balance = balance + p_amount where team_id = p_team returning balance into after;
  insert into ledger_entry (
    team_id, at, kind, subject, amount, balance, items, request_id, route, key_id, user_id, job_id, idempotency_key, note
  ) values (
    p_team, service_now(), p_kind, p_subject, p_amount, after, p_items, p_cause->>'requestId', p_cause->>'route', (p_cause->>'keyId')::uuid,
    (p_cause->>'userId')::integer, p_cause->>'jobId', p_cause->>'idempotencyKey', p_cause->>'note'
  );
  return after;
end $$;

-- Mends a pool that a process with a clock ahead was granted a coming month for: the pool gets what it would have without that grant, less what
-- it was charged this month since, and never less than 0. Two entries say so: the correction with its cause, and the grant that is in force
-- again. Returns the balance, or null where no grant lies ahead.
create function mend_pool(p_team integer, p_granted_for text, p_grant integer) returns integer language plpgsql as $$
declare
  pool credit_pool;
  due text := granted_now(p_granted_for);
  month_began timestamptz := date_trunc('month', service_now() at time zone 'UTC') at time zone 'UTC';
  went_wrong bigint;
  changed_since integer;
  credits integer;
begin
  select * into pool from credit_pool where team_id = p_team for update;
  if not found or split_part(pool.granted_for, ' ', 1) <> split_part(due, ' ', 1) or pool.granted_for <= due then
    return null;
  end if;
  select min(id) into went_wrong from ledger_entry
    where team_id = p_team and kind = 'grant' and split_part(note, ' ', 1) = split_part(due, ' ', 1) and note > due
      and id > coalesce((
        select max(id) from ledger_entry
        where team_id = p_team and kind = 'grant' and split_part(note, ' ', 1) = split_part(due, ' ', 1) and note <= due
      ), 0);
  select coalesce(sum(amount), 0) into changed_since from ledger_entry
    where team_id = p_team and kind <> 'grant' and id > went_wrong and at >= month_began;
  credits := greatest(0, coalesce(left_of_grant(p_team, due), p_grant) + changed_since);
  perform enter_credits(p_team, service_now(), 'adjustment', 'plan', credits - pool.balance, 0, jsonb_build_object(
    'route', 'admin credits mend', 'note', format('%s was granted ahead of the database''s clock; the pool is back in %s', pool.granted_for, due)));
  insert into ledger_entry (team_id, at, kind, subject, amount, balance, route, note)
    values (p_team, service_now(), 'grant', 'plan', 0, credits, 'admin credits mend', due);
  update credit_pool set granted_for = due where team_id = p_team;
  return credits;
end $$;

-- Down Migration

-- The functions that were replaced stay as they are: whoever goes back grants by the database's clock all the same.
