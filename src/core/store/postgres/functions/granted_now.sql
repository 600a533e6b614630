-- The grant that is due: a plan's name with `lifetime` as it is, with anything else for the month that it is in UTC. Processes say `month`.
create or replace function granted_now(p_granted_for text) returns text language sql stable as $$
  select case
    when split_part(p_granted_for, ' ', 2) = 'lifetime' then p_granted_for
    else split_part(p_granted_for, ' ', 1) || ' ' || to_char(service_now() at time zone 'UTC', 'YYYY-MM')
  end
$$;
