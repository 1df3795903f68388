-- Channels by language, and schedules, are counted as they change, so that no answer has to.
insert into totals select 'languages/' || language, count(*) from channels where language is not null group by language;
insert into totals select 'schedules', count(*) from schedules;
create trigger channel_language_added after insert on channels when new.language is not null begin
  insert into totals values ('languages/' || new.language, 1) on conflict do update set value = value + 1;
end;
create trigger channel_language_removed after delete on channels when old.language is not null begin
  update totals set value = value - 1 where name = 'languages/' || old.language;
end;
create trigger channel_language_moved after update of language on channels when old.language is not new.language begin
  update totals set value = value - 1 where name = 'languages/' || old.language;
  insert into totals select 'languages/' || new.language, 1 where new.language is not null
    on conflict do update set value = value + 1;
end;
create trigger schedule_added after insert on schedules begin
  update totals set value = value + 1 where name = 'schedules';
end;
create trigger schedule_removed after delete on schedules begin
  update totals set value = value - 1 where name = 'schedules';
end;
