-- Work that one process does for all: who does it, until when, and how often it was taken.
create table roles (
  name text primary key,
  owner text,
  token integer not null,
  until integer not null
) strict, without rowid;
