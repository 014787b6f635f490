-- What the operator's backup says of itself at its end, and that a restore was tried: no database knows either. A new table
-- alone, so nobody waits. No merchant reads it: it is behind no policy and not granted.
CREATE TABLE backup_marks (
  mark_id  bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind     text   NOT NULL CHECK (kind IN ('base', 'dump', 'restore')),
  at_ms    bigint NOT NULL,
  -- Null where it was not said.
  bytes    bigint CHECK (bytes >= 0),
  -- The user and the machine that said so.
  marked_by text  NOT NULL,
  note     text   NOT NULL
);
CREATE INDEX backup_marks_by_age ON backup_marks (at_ms);
