-- Locks the pool and brings its grant up to date; returns the balance. An entry is written when the grant changes the month or the plan, also
-- one of 0 credits, so that the history says when. A request that waited over midnight pays from the month that is open already.
create or replace function open_pool(p_team integer, p_granted_for text, p_grant integer) returns integer language plpgsql as $$
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
