-- Which post has which picture; number 0 of a channel's keys is the channel itself. The bytes are files, named by their hash.
create table pictures (
  key integer not null,
  slot integer not null,
  name text not null,
  sha256 blob,
  tries integer not null default 0,
  -- Null when it is not asked for at present.
  due_at integer,
  is_refused integer not null default 0,
  primary key (key, slot)
) strict, without rowid;
create index pictures_due on pictures (due_at) where due_at is not null;
create index pictures_by_file on pictures (sha256) where sha256 is not null;

create table picture_files (
  sha256 blob primary key,
  type text not null,
  bytes integer not null,
  width integer not null,
  height integer not null,
  kept_at integer not null
) strict, without rowid;

-- Hashes that some picture has lost: where no other has them, their files go.
create table loose_files (sha256 blob primary key) strict, without rowid;

create table picture_days (day integer primary key, bytes integer not null) strict;

-- Counted as they change, so that no answer has to.
insert into totals values ('pictures/files', 0), ('pictures/bytes', 0), ('pictures/waiting', 0), ('pictures/missing', 0);
create trigger picture_file_added after insert on picture_files begin
  update totals set value = value + 1 where name = 'pictures/files';
  update totals set value = value + new.bytes where name = 'pictures/bytes';
end;
create trigger picture_file_removed after delete on picture_files begin
  update totals set value = value - 1 where name = 'pictures/files';
  update totals set value = value - old.bytes where name = 'pictures/bytes';
end;
create trigger picture_added after insert on pictures begin
  update totals set value = value + (new.due_at is not null) where name = 'pictures/waiting';
  update totals set value = value + (new.due_at is null and new.sha256 is null) where name = 'pictures/missing';
end;
create trigger picture_removed after delete on pictures begin
  update totals set value = value - (old.due_at is not null) where name = 'pictures/waiting';
  update totals set value = value - (old.due_at is null and old.sha256 is null) where name = 'pictures/missing';
end;
create trigger picture_moved after update on pictures begin
  update totals set value = value + (new.due_at is not null) - (old.due_at is not null) where name = 'pictures/waiting';
  update totals set value = value + (new.due_at is null and new.sha256 is null)
    - (old.due_at is null and old.sha256 is null) where name = 'pictures/missing';
end;
