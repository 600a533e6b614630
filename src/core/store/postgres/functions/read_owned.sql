-- A page of records that a pool holds as they are: its balance, when each was last delivered (milliseconds since 1970, with a space between
-- them), now, and the version of what it holds. No row where anything of the page is new or changed, or the grant has to be brought up to date: that is for `deliver_page`.
-- Locks and writes nothing; that the records were read again is noted by `note_reads`. The settings are those of `deliver_page`.
drop function if exists read_owned(integer, text, bigint[], text[]);
create or replace function read_owned(p_team integer, p_granted_for text, p_ids bigint[], p_revisions text[])
returns table (balance integer, last_deliveries text, at bigint, version text)
language plpgsql stable set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  owned integer;
begin
  select pool.balance into balance from credit_pool as pool where pool.team_id = p_team and pool.granted_for = granted_now(p_granted_for);
  if not found then
    return;
  end if;
  select string_agg(held.ms::text, ' ' order by held.n), count(*) into last_deliveries, owned
    from (
      select page.n, (extract(epoch from d.last_at) * 1000)::bigint as ms
      from unnest(p_ids, p_revisions) with ordinality as page (id, revision, n)
      cross join lateral (
        select delivery.revision, delivery.last_at from delivery where team_id = p_team and project_id = page.id offset 0
      ) as d
      where d.revision = page.revision
    ) as held;
  if owned = cardinality(p_ids) then
    at := (extract(epoch from service_now()) * 1000)::bigint;
    version := holdings_version(p_team);
    return next;
  end if;
end $$;
