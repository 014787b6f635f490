-- The link by which the first operator of a new gateway opens an account: one at most. A new table alone, so nobody waits.
CREATE TABLE setup_link (
  single        boolean PRIMARY KEY DEFAULT true CHECK (single),
  token_hash    bytea   NOT NULL,
  expires_at_ms bigint  NOT NULL
);
