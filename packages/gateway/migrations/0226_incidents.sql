-- What waited for an operator: when a dashboard saw it first, and when last. Only a new table: no lock on one that is in use.
-- No merchant reads it: it is behind no policy and not granted.
CREATE TABLE incidents (
  incident_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind        text    NOT NULL,
  -- The chain, the currency or the address that it is about; '' where it is about all of them.
  subject     text    NOT NULL,
  -- The newest one, while it was open.
  detail      text    NOT NULL,
  first_at_ms bigint  NOT NULL,
  last_at_ms  bigint  NOT NULL,
  is_open     boolean NOT NULL
);
CREATE UNIQUE INDEX incidents_open ON incidents (kind, subject) WHERE is_open;
CREATE INDEX incidents_past ON incidents (last_at_ms, incident_id) WHERE NOT is_open;
