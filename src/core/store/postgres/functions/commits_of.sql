-- The commits that make, in their order, all that one of them shows: those of its chain up to it; and where that chain begins with a copy of a
-- set, those that made what was copied.
create or replace function commits_of(p_lineage text, p_commit bigint) returns setof index_commit language sql stable as $$
  with recursive part as (
    select chain, commit from index_commit where lineage_id = p_lineage and commit = p_commit and chain is not null
    union all
    select base.chain, base.commit
    from part
      join index_commit first on first.lineage_id = p_lineage and first.commit = part.chain and first.copies_previous
      join index_commit base on base.lineage_id = p_lineage and base.commit = first.previous and base.chain is not null
  )
  select made.* from part
    join index_commit made on made.lineage_id = p_lineage and made.chain = part.chain and made.commit <= part.commit
$$;
