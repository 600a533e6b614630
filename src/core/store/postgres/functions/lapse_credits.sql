-- Credits that come back when another grant is in force than they came from would outlive their month: they lapse.
create or replace function lapse_credits(p_team integer, p_granted_for text, p_credits integer, p_cause jsonb) returns void language plpgsql as $$
begin
  if p_credits > 0 and exists (select from credit_pool where team_id = p_team and granted_for <> p_granted_for) then
    perform enter_credits(p_team, 'adjustment', 'plan', -p_credits, 0,
      p_cause || jsonb_build_object('note', format('reserved from %s and not used; lapsed', p_granted_for)));
  end if;
end $$;
