-- Up Migration

-- What came back when the file of an export was lost; null before that, and for files that were lost before this was noted.
alter table export add column credits_lost integer;

-- Rows of the file that the pool held unchanged when it was delivered; null for files from before this was noted.
alter table export_delivery add column held_ids bigint[], add column held_hashes bigint[];

-- Down Migration

alter table export_delivery drop column held_ids, drop column held_hashes;
alter table export drop column credits_lost;
