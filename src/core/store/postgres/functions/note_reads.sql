-- Notes when records that a pool holds were read again, each by milliseconds since 1970; a later time that is there already stays. The pool is
-- locked first, as by everybody who writes what it holds, so that no two wait for each other. The disk is not waited for: what a crash of the
-- server could forget is when an unchanged record was read again. Returns the pool's version before and after.
drop function if exists note_reads(integer, bigint[], bigint[]);
create or replace function note_reads(p_team integer, p_ids bigint[], p_times bigint[], out version_before text, out version_after text)
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off as $$
begin
  perform from credit_pool where team_id = p_team for update;
  version_before := holdings_version(p_team);
  update delivery set last_at = to_timestamp(page.ms / 1000.0)
    from unnest(p_ids, p_times) as page (id, ms)
    where team_id = p_team and project_id = page.id and last_at < to_timestamp(page.ms / 1000.0);
  if found then
    update credit_pool set reads_noted = reads_noted + 1 where team_id = p_team;
  end if;
  version_after := holdings_version(p_team);
  perform set_config('synchronous_commit', 'off', true);
end $$;
