-- Which post has which picture; number 0 is the channel itself. The bytes are files, named by their hash.
create table pictures (
  channel_id integer not null,
  number integer not null,
  slot smallint not null,
  name text collate "C" not null,
  sha256 bytea,
  tries smallint not null default 0,
  -- Null when it is not asked for at present.
  due_at bigint,
  is_refused boolean not null default false,
  primary key (channel_id, number, slot)
);
create index pictures_due on pictures (due_at) where due_at is not null;
create index pictures_by_file on pictures (sha256) where sha256 is not null;
create index pictures_missing on pictures (channel_id) where due_at is null and sha256 is null;

create table picture_files (
  sha256 bytea primary key,
  type text not null,
  bytes integer not null,
  width integer not null,
  height integer not null,
  kept_at bigint not null
);

-- Hashes that some picture has lost: where no other has them, their files go.
create table loose_files (sha256 bytea primary key);

create table picture_days (day integer primary key, bytes bigint not null);
