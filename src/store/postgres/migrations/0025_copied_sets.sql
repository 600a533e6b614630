-- Up Migration

-- Of the first commit of a set that was made as a copy of what the commit before it shows: how many versions have been written into such copies
-- since a set was filled anew, this one's among them. null for every other commit.
alter table index_commit add column copied_changes bigint;

-- Down Migration

alter table index_commit drop column copied_changes;
