-- Takes a delivery back whose records never arrived, and refunds it: what the pool was delivered since stays. Returns the refund. Rows that
-- another ready file of the pool (of an export or a snapshot) holds stay held and paid; taking them back goes over to that file. Rows paid
-- from a grant that is over stay held, too, so that they cost nothing again: a refund would outlive its month, or fill a trial up.
create or replace function undo_export_delivery(p_export text, p_team integer, p_cause jsonb) returns integer language plpgsql as $$
declare
  refund integer;
begin
  update credit_pool set reversals = reversals + 1 where team_id = p_team;
  delete from export_delivery as e using credit_pool as pool
    where e.export_id = p_export and pool.team_id = p_team
      and (e.granted_for <> pool.granted_for or e.granted_for <> granted_now(e.granted_for));
  -- what the file delivered and was given by another stands in it twice
  update export_delivery as e set project_ids = once.ids, hashes = once.hashes, before = once.before, before_hashes = once.before_hashes,
      superseded_before = once.superseded, credits = once.credits
    from (
      select part, array_agg(id order by n) as ids, array_agg(hash order by n) as hashes, array_agg(before order by n) as before,
        array_agg(before_hash order by n) as before_hashes, array_agg(superseded order by n) as superseded, array_agg(credits order by n) as credits
      from (
        select e.part, gone.id, gone.hash, min(gone.n) as n, (array_agg(gone.before order by gone.before is null, gone.n))[1] as before,
          (array_agg(gone.before_hash order by gone.before is null, gone.n))[1] as before_hash,
          (array_agg(gone.superseded order by gone.before is null, gone.n))[1] as superseded, sum(gone.credits)::integer as credits
        from export_delivery as e,
          unnest(e.project_ids, e.hashes, e.before, e.before_hashes, e.superseded_before, e.credits) with ordinality
            as gone (id, hash, before, before_hash, superseded, credits, n)
        where e.export_id = p_export
        group by e.part, gone.id, gone.hash
      ) as entry
      group by part
    ) as once
    where e.export_id = p_export and e.part = once.part and cardinality(e.project_ids) > cardinality(once.ids);
  with lost as (
    select e.part, gone.* from export_delivery as e,
      unnest(e.project_ids, e.hashes, e.before, e.before_hashes, e.superseded_before, e.credits)
        as gone (id, hash, before, before_hash, superseded, credits)
    where e.export_id = p_export
  ), kept as (
    select id from export where team_id = p_team and id <> p_export and lost_at is null and expires_at > service_now()
    union all select id from snapshot where team_id = p_team and id <> p_export and lost_at is null and expires_at > service_now()
  ), elsewhere as (
    select distinct on (id, hash) lost.*, other.export_id, other.held_in from lost join (
      select e.export_id, e.part as held_in, held.id, held.hash from kept join export_delivery e on e.export_id = kept.id,
        unnest(e.project_ids || e.held_ids, e.hashes || e.held_hashes) as held (id, hash)
    ) as other using (id, hash)
    order by id, hash, export_id desc
  ), gone_over as (
    update export_delivery as e set project_ids = e.project_ids || more.ids, hashes = e.hashes || more.hashes, before = e.before || more.before,
        before_hashes = e.before_hashes || more.before_hashes, superseded_before = e.superseded_before || more.superseded,
        credits = e.credits || more.credits
      from (
        select export_id, held_in, array_agg(id) as ids, array_agg(hash) as hashes, array_agg(before) as before,
          array_agg(before_hash) as before_hashes, array_agg(superseded) as superseded, array_agg(credits) as credits
        from elsewhere group by export_id, held_in
      ) as more
      where e.export_id = more.export_id and e.part = more.held_in
  )
  update export_delivery as e set project_ids = rest.ids, hashes = rest.hashes, before = rest.before, before_hashes = rest.before_hashes,
      superseded_before = rest.superseded, credits = rest.credits
    from (
      select part, coalesce(array_agg(id) filter (where is_rest), '{}') as ids, coalesce(array_agg(hash) filter (where is_rest), '{}') as hashes,
        coalesce(array_agg(before) filter (where is_rest), '{}') as before,
        coalesce(array_agg(before_hash) filter (where is_rest), '{}') as before_hashes,
        coalesce(array_agg(superseded) filter (where is_rest), '{}') as superseded,
        coalesce(array_agg(credits) filter (where is_rest), '{}') as credits
      from (
        select lost.*, elsewhere.id is null as is_rest from lost left join elsewhere on elsewhere.id = lost.id and elsewhere.hash = lost.hash
      ) as split
      group by part
    ) as rest
    where e.export_id = p_export and e.part = rest.part;
  delete from delivery as d
    using export_delivery as e, unnest(e.project_ids, e.hashes, e.before, e.credits) as gone (id, hash, before, credits)
    where e.export_id = p_export and d.team_id = p_team and d.project_id = gone.id
      and (gone.before is null or gone.credits > 0) and d.revision_hash = gone.hash and d.earlier_hashes = '{}' and d.credits = gone.credits;
  update delivery as d set
      revision = case when goes_back then gone.before else d.revision end,
      revision_hash = case when goes_back then gone.before_hash else d.revision_hash end,
      earlier_hashes = case
        when goes_back then array_remove(array_remove(d.earlier_hashes, gone.before_hash), gone.hash)
          || case when gone.credits = 0 then array[gone.hash] else '{}'::bigint[] end
        when gone.credits > 0 then array_remove(d.earlier_hashes, gone.hash)
        else d.earlier_hashes
      end,
      superseded_hashes = case when goes_back and gone.credits > 0 then coalesce(gone.superseded::bigint[], d.superseded_hashes) else d.superseded_hashes end,
      credits = d.credits - gone.credits,
      seq = nextval('delivery_seq')
    from export_delivery as e,
      unnest(e.project_ids, e.hashes, e.before, e.before_hashes, e.superseded_before, e.credits)
        as gone (id, hash, before, before_hash, superseded, credits),
      lateral (
        -- what was held before may have been taken back itself
        select held.revision_hash = gone.hash and gone.before_hash = any (held.earlier_hashes) as goes_back
        from delivery as held where held.team_id = p_team and held.project_id = gone.id
      ) as change
    where e.export_id = p_export and d.team_id = p_team and d.project_id = gone.id;
  select coalesce(sum(paid.amount), 0) into refund from export_delivery as e, unnest(e.credits) as paid (amount) where e.export_id = p_export;
  delete from export_delivery where export_id = p_export;
  if refund > 0 then
    perform enter_credits(p_team, 'refund', 'records', refund, refund, p_cause);
  end if;
  return refund;
end $$;
