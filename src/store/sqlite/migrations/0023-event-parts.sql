-- An event that concerns very many watches is handled in parts: which event after the position, and up to which watch.
alter table watch_position add column part_seq integer;
alter table watch_position add column part_watch integer;
