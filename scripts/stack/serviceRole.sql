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
    select format('alter schema %I owner to landuse_service', nspname)
      from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'
  loop
    execute change;
  end loop;
end $$;
