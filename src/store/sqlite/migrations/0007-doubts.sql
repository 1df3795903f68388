-- What a visit saw and did not yet believe, and when it first did: it takes a second read, also after a restart.
alter table schedules add column doubt text;
alter table schedules add column doubted_at integer;
