-- What requests beyond regular visits have saved up, shared by all processes, and how many there were lately.
create table reserve (
  id integer primary key check (id = 1),
  credits real not null,
  used real not null,
  updated_at integer not null
) strict;
