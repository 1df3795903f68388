-- When a visit was planned, by the clock of then: a plan made in the future was made by a clock that was wrong.
alter table schedules add column planned_at integer;
