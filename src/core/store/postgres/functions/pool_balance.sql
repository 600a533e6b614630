-- The balance, without waiting for deliveries unless the grant has to be brought up to date.
create or replace function pool_balance(
  p_team integer, p_granted_for text, p_grant integer
) returns integer language plpgsql as $$
begin
  return coalesce(
    (select balance from credit_pool where team_id = p_team and granted_for = granted_now(p_granted_for)),
    open_pool(p_team, p_granted_for, p_grant));
end $$;
