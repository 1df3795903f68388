-- Who follows the archive. The one without a name holds what changes while nobody does.
create table consumers (
  id integer primary key,
  name text not null unique,
  seen_at integer not null
) strict;
insert into consumers values (1, '', 0);

-- Changes wait for each consumer on their own.
create table waiting_changes (
  seq integer primary key autoincrement,
  key integer not null,
  consumer integer not null,
  what integer not null,
  at integer not null,
  claim text,
  claimed_until integer not null default 0,
  -- It changed again since it was claimed.
  moved integer not null default 0,
  unique (key, consumer)
) strict;
insert into waiting_changes (key, consumer, what, at) select key, 1, what, at from changes order by seq;
drop table changes;
alter table waiting_changes rename to changes;
create index changes_waiting on changes (consumer, seq);
create index changes_claimed on changes (claim) where claim is not null;

-- Channels by status are counted as they change, so that no answer has to.
insert into totals select 'channels/' || status, count(*) from channels group by status;
create trigger channel_added after insert on channels begin
  insert into totals values ('channels/' || new.status, 1) on conflict do update set value = value + 1;
end;
create trigger channel_removed after delete on channels begin
  update totals set value = value - 1 where name = 'channels/' || old.status;
end;
create trigger channel_moved after update of status on channels when old.status <> new.status begin
  update totals set value = value - 1 where name = 'channels/' || old.status;
  insert into totals values ('channels/' || new.status, 1) on conflict do update set value = value + 1;
end;
