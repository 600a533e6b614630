-- Up Migration

-- The first of the keys that replaced one another; null for a key that replaced none. They share one rate limit.
alter table api_key add column first_key_id uuid references api_key (id);

with recursive lineage as (
  select first.id as first_key_id, first.replaced_by as id
    from api_key first
    where first.replaced_by is not null and not exists (select from api_key earlier where earlier.replaced_by = first.id)
  union all
  select lineage.first_key_id, key.replaced_by from lineage join api_key key on key.id = lineage.id where key.replaced_by is not null
)
update api_key set first_key_id = lineage.first_key_id from lineage where api_key.id = lineage.id;

-- Down Migration

alter table api_key drop column first_key_id;
