-- Takes a delivery back whose records never arrived, and refunds it: what the pool was delivered since stays. Returns the refund.
create or replace function undo_export_delivery(p_export text, p_team integer, p_cause jsonb) returns integer language plpgsql as $$
declare
  refund integer;
begin
  update credit_pool set reversals = reversals + 1 where team_id = p_team;
  delete from delivery as d
    using export_delivery as e, unnest(e.project_ids, e.hashes, e.before, e.credits) as gone (id, hash, before, credits)
    where e.export_id = p_export and d.team_id = p_team and d.project_id = gone.id
      and gone.before is null and d.revision_hash = gone.hash and d.earlier_hashes = '{}' and d.credits = gone.credits;
  update delivery as d set
      revision = case when goes_back then gone.before else d.revision end,
      revision_hash = case when goes_back then gone.before_hash else d.revision_hash end,
      earlier_hashes = case
        when goes_back then array_remove(array_remove(d.earlier_hashes, gone.before_hash), gone.hash)
          || case when gone.credits = 0 then array[gone.hash] else '{}'::bigint[] end
        when gone.credits > 0 then array_remove(d.earlier_hashes, gone.hash)
        else d.earlier_hashes
      end,
      credits = d.credits - gone.credits,
      seq = nextval('delivery_seq')
    from export_delivery as e, unnest(e.project_ids, e.hashes, e.before, e.before_hashes, e.credits) as gone (id, hash, before, before_hash, credits),
      lateral (
        select held.revision_hash = gone.hash and gone.before is not null as goes_back
        from delivery as held where held.team_id = p_team and held.project_id = gone.id
      ) as change
    where e.export_id = p_export and d.team_id = p_team and d.project_id = gone.id;
  select coalesce(sum(paid.amount), 0) into refund from export_delivery as e, unnest(e.credits) as paid (amount) where e.export_id = p_export;
  delete from export_delivery where export_id = p_export;
  if refund > 0 then
    perform enter_credits(p_team, service_now(), 'refund', 'records', refund, refund, p_cause);
  end if;
  return refund;
end $$;
