-- Makes the role that the service logs in as: it owns what the service keeps in this database and may do nothing else. Run by a superuser in
-- the service's database before each start; its password comes as the setting landuse.service_password.
do $$
declare
  change text;
begin
  if not exists (select from pg_roles where rolname = 'landuse_service') then
    create role landuse_service;
  end if;
  execute format('alter role landuse_service login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password %L',
    current_setting('landuse.service_password'));
  execute format('revoke all on database postgres, template1, %I from public', current_database());
  execute format('grant connect, create on database %I to landuse_service', current_database());
  for change in
    with own as (select oid, nspname from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema')
    select format('alter schema %I owner to landuse_service', nspname) from own
    -- what a version before made as superuser; a sequence that belongs to a column goes with its table
    union all select format('alter table %s owner to landuse_service', oid::regclass)
      from pg_class where relkind in ('r', 'p') and relnamespace in (select oid from own)
    union all select format('alter sequence %s owner to landuse_service', c.oid::regclass)
      from pg_class c where relkind = 'S' and relnamespace in (select oid from own)
        and not exists (select from pg_depend d where d.objid = c.oid and d.deptype in ('a', 'i'))
    union all select format('alter function %s owner to landuse_service', oid::regprocedure)
      from pg_proc where pronamespace in (select oid from own)
  loop
    execute change;
  end loop;
end $$;
