-- A number, as text, that grows with every change of a row that a pool holds, whose lock its writer has: deliveries that are taken back, and
-- records that are read or delivered again. What is held for the first time changes no such row. Null for a pool without a row.
create or replace function holdings_version(p_team integer) returns text language plpgsql stable as $$
begin
  return (select (reversals + reads_noted)::text from credit_pool where team_id = p_team);
end $$;
