-- Words within a channel are found by hashes of their terms. A post without a row has not been analysed since: its text is read instead.
create table post_hashes (
  key integer primary key,
  hashes blob not null
) strict;
drop table post_terms;
