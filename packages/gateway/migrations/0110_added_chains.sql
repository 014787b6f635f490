-- Chains and tokens that an operator added on the dashboard, read at each start beside the configuration file.
-- New tables alone, so nobody waits. What decides about money is sealed: a row that the gateway did not write does not open.
CREATE TABLE added_chains (
  chain       text   COLLATE "C" PRIMARY KEY,
  chain_id    bigint NOT NULL UNIQUE,
  -- The chain's section as the file would have it, with the addresses of its nodes.
  sealed      bytea  NOT NULL,
  added_by    text   COLLATE "C" NOT NULL REFERENCES people,
  added_at_ms bigint NOT NULL
);

CREATE TABLE added_tokens (
  currency_id integer PRIMARY KEY,
  chain       text    COLLATE "C" NOT NULL,
  -- Its entry under the chain's currencies.
  sealed      bytea   NOT NULL,
  added_by    text    COLLATE "C" NOT NULL REFERENCES people,
  added_at_ms bigint  NOT NULL
);
