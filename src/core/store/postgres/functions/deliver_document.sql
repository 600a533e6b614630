-- Delivers one document; it is metered once in the life of the pool.
create or replace function deliver_document(
  p_team integer, p_granted_for text, p_grant integer, p_rate integer, p_document bigint, p_cause jsonb, p_claim jsonb
) returns table (outcome text, balance integer, cost integer) language plpgsql as $$
begin
  balance := open_pool(p_team, p_granted_for, p_grant);
  cost := case when exists (select from document_delivery where team_id = p_team and document_id = p_document) then 0 else p_rate end;
  outcome := case when cost > balance then 'exhausted' else 'delivered' end;
  if outcome = 'delivered' then
    insert into document_delivery (team_id, document_id, at, credits) values (p_team, p_document, service_now(), cost) on conflict do nothing;
    if cost > 0 then
      balance := enter_credits(p_team, 'charge', 'documents', -cost, 1, p_cause);
    end if;
    perform settle_idempotency(p_team, p_claim, jsonb_build_object('ids', jsonb_build_array(p_document), 'cost', cost, 'at', service_now()));
  end if;
  return next;
end $$;
