-- People who sign up without an invitation, until they open the link that is mailed to them. A new table, and a column with
-- a constant default, so nothing is rewritten and nobody waits.
CREATE TABLE sign_ups (
  -- In lower case.
  email         text   PRIMARY KEY CHECK (email = lower(email)),
  -- SHA-256 of the token in the link.
  token_hash    bytea  NOT NULL UNIQUE,
  expires_at_ms bigint NOT NULL
);
CREATE INDEX sign_ups_by_end ON sign_ups (expires_at_ms);

ALTER TABLE merchants
  -- Its owner signed up; nobody here has made it.
  ADD COLUMN from_sign_up boolean NOT NULL DEFAULT false;
