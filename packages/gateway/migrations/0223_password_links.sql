-- Links by which people who forgot their password choose a new one, until they are opened. A new table, so nobody waits.
CREATE TABLE password_links (
  -- In lower case. There need be no account of it: the same is written for every e-mail.
  email         text   PRIMARY KEY CHECK (email = lower(email)),
  -- SHA-256 of the token in the link.
  token_hash    bytea  NOT NULL UNIQUE,
  expires_at_ms bigint NOT NULL
);
CREATE INDEX password_links_by_end ON password_links (expires_at_ms);
