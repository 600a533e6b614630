-- Commits the outcome of a claimed request. A claim whose lease ran out and was taken over fails, and with it the transaction that would charge.
create or replace function settle_idempotency(p_team integer, p_claim jsonb, p_outcome jsonb) returns void language plpgsql as $$
begin
  if p_claim is null then
    return;
  end if;
  update idempotency set outcome = p_outcome
    where team_id = p_team and route = p_claim->>'route' and key = p_claim->>'key' and owner = (p_claim->>'owner')::uuid and outcome is null;
  if not found then
    raise exception 'the claim of this idempotency key is lost' using errcode = 'LU001';
  end if;
end $$;
