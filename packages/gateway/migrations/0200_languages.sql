-- The language that a person last used the dashboard in, which mails to the person are written in. One that a build does not
-- speak counts as none.
ALTER TABLE people ADD COLUMN language text COLLATE "C";
