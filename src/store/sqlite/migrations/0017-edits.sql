-- What authors did to posts after they were first seen: each replaced or deleted revision. `kinds` are bits; none until what was
-- written before is classified. `views` are those of the post, -1 where it shows none.
create table edits (
  key integer not null,
  revision integer not null,
  channel_id integer not null,
  at integer not null,
  kinds integer not null,
  views integer not null default -1,
  named text,
  primary key (key, revision)
) strict, without rowid;
create index edits_by_time on edits (at, key, revision);
create index edits_by_views on edits (views, key, revision);
create index edits_of_channel_by_time on edits (channel_id, at, key, revision);
create index edits_of_channel_by_views on edits (channel_id, views, key, revision);
create index edits_unclassified on edits (key) where kinds = 0;

-- When an earlier version was replaced is not known, only when it was last seen.
insert into edits (key, revision, channel_id, at, kinds)
  select key, revision, key / 67108864, captured_at, 0 from post_versions;
insert or ignore into edits (key, revision, channel_id, at, kinds)
  select key, revision, key / 67108864, deleted_at, 64 from posts where deleted_at is not null;
update edits set views = coalesce((select views from posts p where p.key = edits.key), -1);
