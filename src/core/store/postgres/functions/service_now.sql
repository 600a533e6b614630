-- The clock that names months, opens them and dates what a pool is charged: the database's, for every process, one moment a statement. Tests
-- replace this function in a schema of their own; no setting, parameter or column gives another time.
create or replace function service_now() returns timestamptz language sql stable as $$ select statement_timestamp() $$;
