-- A transfer to cold storage that a restored backup had forgotten: a person named the transfer that reached a cold address.
CREATE TABLE cold_endings (
  cold_transfer_id text COLLATE "C" PRIMARY KEY REFERENCES cold_transfers,
  chain            text   NOT NULL,
  tx_id            text   NOT NULL,
  position         text   NOT NULL,
  ended_by         text   NOT NULL,
  reason           text   NOT NULL,
  at_ms            bigint NOT NULL,
  UNIQUE (chain, tx_id, position)
);
