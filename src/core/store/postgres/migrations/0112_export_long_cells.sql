-- Up Migration

-- Cells of an export's file that spreadsheets do not hold: the columns, and the number of rows with one. Null where there are none.
alter table export add column cells_too_long jsonb;

-- Down Migration

alter table export drop column cells_too_long;
