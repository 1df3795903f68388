-- Grows with each removal that takes something out, so that an index made before can be told.
insert into totals values ('removals', 0);
