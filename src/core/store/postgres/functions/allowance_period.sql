-- The month (UTC) or the lifetime that look-ups count for now.
create or replace function allowance_period(p_for_life boolean) returns text language sql stable as $$
  select case when p_for_life then 'lifetime' else to_char(service_now() at time zone 'UTC', 'YYYY-MM') end
$$;
