-- What waited for an operator, since when, and until when: the dashboard writes it down and operators look back on it. A new
-- table alone, so nobody waits. No merchant reads it: it is behind no policy and not granted.
CREATE TABLE incidents (
  incident_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind        text   NOT NULL,
  -- The chain, the currency or the address that it is about; '' where it is about all of them.
  subject     text   NOT NULL,
  -- As it was said last.
  detail      text   NOT NULL,
  began_at_ms bigint NOT NULL,
  -- Null while it goes on.
  ended_at_ms bigint
);
CREATE UNIQUE INDEX incidents_open ON incidents (kind, subject) WHERE ended_at_ms IS NULL;
CREATE INDEX incidents_past ON incidents (ended_at_ms, incident_id) WHERE ended_at_ms IS NOT NULL;
