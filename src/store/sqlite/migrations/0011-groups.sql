-- Posts that say the same. Keys of texts lead to groups; `linked` are those that lead to this one.
create table copy_groups (
  id integer primary key autoincrement,
  sketch blob not null,
  linked blob not null
) strict;
create table copy_keys (
  key integer primary key,
  group_id integer not null
) strict;
create table copies (
  key integer primary key,
  group_id integer not null,
  sec integer not null,
  print integer not null
) strict;
create index copies_of_group on copies (group_id, sec, key);
create index copies_by_time on copies (sec);
