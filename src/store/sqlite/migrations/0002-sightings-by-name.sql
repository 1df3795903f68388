-- A name is forgotten with everyone who named it.
create index sightings_by_name on sightings (name_key);
