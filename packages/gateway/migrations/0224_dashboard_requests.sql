-- What clicks on the dashboard made, by the name that the page gave each: sent again, a click makes nothing more. A new table, so
-- nobody waits.
CREATE TABLE dashboard_requests (
  person_id  text   NOT NULL REFERENCES people,
  request_id text   NOT NULL,
  operation  text   NOT NULL,
  -- Of everything that was asked: the same name with other content is refused.
  content    text   NOT NULL,
  -- What was made.
  subject    text   NOT NULL,
  made_at_ms bigint NOT NULL,
  PRIMARY KEY (person_id, request_id)
);
