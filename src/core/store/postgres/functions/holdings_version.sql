-- A text that changes with everything that `read_owned` says of a pool except its balance: deliveries that are taken back, deliveries and read
-- times. Each part only grows, since whoever writes what a pool holds has locked the pool. Null for a pool without a row.
create or replace function holdings_version(p_team integer) returns text language plpgsql stable as $$
begin
  return (
    select reversals || ' ' || coalesce((select max(seq) from delivery where team_id = p_team), 0) || ' ' || reads_noted
    from credit_pool where team_id = p_team
  );
end $$;
