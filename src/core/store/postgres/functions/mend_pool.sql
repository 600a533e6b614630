-- Mends a pool that a process with a clock ahead was granted a coming month for: the pool gets what it would have without that grant, less what
-- it was charged this month since, and never less than 0. Two entries say so: the correction with its cause, and the grant that is in force
-- again. Returns the balance, or null where no grant lies ahead.
create or replace function mend_pool(p_team integer, p_granted_for text, p_grant integer) returns integer language plpgsql as $$
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
  perform enter_credits(p_team, 'adjustment', 'plan', credits - pool.balance, 0, jsonb_build_object(
    'route', 'admin credits mend', 'note', format('%s was granted ahead of the database''s clock; the pool is back in %s', pool.granted_for, due)));
  insert into ledger_entry (team_id, at, kind, subject, amount, balance, route, note)
    values (p_team, service_now(), 'grant', 'plan', 0, credits, 'admin credits mend', due);
  update credit_pool set granted_for = due where team_id = p_team;
  return credits;
end $$;
