-- Asked for since the last lease: the visit under way may have read before that, so its end does not undo it.
alter table schedules add column hastened_at integer;
