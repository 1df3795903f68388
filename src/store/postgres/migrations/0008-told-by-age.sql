-- suits 6
-- What was told long ago is forgotten, whichever watch it was told for.
create index told_by_age on told (at);
