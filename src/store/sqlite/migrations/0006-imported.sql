-- Imported channels wait until somebody asks for them; they were scheduled like all others before.
delete from schedules where last_visit_at is null
  and channel_id in (select id from channels where status = 'imported');
