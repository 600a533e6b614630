-- Records that may be related to what an AI search asked.
alter table ai_search
  -- {count, records}; null until they were looked for
  add column related jsonb;
