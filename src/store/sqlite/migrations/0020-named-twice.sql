-- Candidates that more than one channel named: of a million names they are few, and only they are ever tried.
create index candidates_named on candidates (gain desc, name_key) where sources >= 2;
