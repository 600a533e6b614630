-- Grows with every write of read times that changes no `seq`, so that a process knows when those that it remembers of a pool are no longer right.
alter table credit_pool add column reads_noted bigint not null default 0;
