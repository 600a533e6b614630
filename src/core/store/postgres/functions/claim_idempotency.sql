-- Claims an idempotency key for the time of a lease, after which another request may take it over. `outcome` is what was committed under the
-- key, `retry_after` the seconds that the lease of another request still runs.
-- state: claimed | replay (`outcome` is answered again) | in_flight (another request has it) | reuse (it stands for another request)
create or replace function claim_idempotency(
  p_team integer, p_route text, p_key text, p_hash text, p_owner uuid, p_now timestamptz, p_lease interval, p_keep interval
) returns table (state text, outcome jsonb, retry_after integer) language plpgsql as $$
declare
  found_row idempotency;
begin
  loop
    insert into idempotency (team_id, route, key, request_hash, owner, lease_until, created_at)
      values (p_team, p_route, p_key, p_hash, p_owner, p_now + p_lease, p_now) on conflict do nothing;
    if found then
      return query select 'claimed', null::jsonb, 0;
      return;
    end if;
    select * into found_row from idempotency i where i.team_id = p_team and i.route = p_route and i.key = p_key for update;
    -- given up by its owner between the two statements: tried again
    exit when found;
  end loop;
  if found_row.created_at > p_now - p_keep then
    if found_row.request_hash <> p_hash then
      return query select 'reuse', null::jsonb, 0;
      return;
    elsif found_row.outcome is not null then
      return query select 'replay', found_row.outcome, 0;
      return;
    elsif found_row.lease_until > p_now then
      return query select 'in_flight', null::jsonb, ceil(extract(epoch from found_row.lease_until - p_now))::integer;
      return;
    end if;
  end if;
  update idempotency i set request_hash = p_hash, owner = p_owner, lease_until = p_now + p_lease, outcome = null, created_at = p_now
    where i.team_id = p_team and i.route = p_route and i.key = p_key;
  return query select 'claimed', null::jsonb, 0;
end $$;
