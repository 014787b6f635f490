-- Payouts that a person ended with a proof that the gateway could not use by itself: who, why, and which transfer paid.

CREATE TABLE payout_endings (
  trade_no text COLLATE "C" PRIMARY KEY REFERENCES payouts,
  -- The transfer that paid it; null where nothing can happen any more.
  chain    text,
  tx_id    text,
  position text,
  ended_by text   NOT NULL,
  reason   text   NOT NULL,
  at_ms    bigint NOT NULL,
  -- One transfer pays one payout.
  UNIQUE (chain, tx_id, position),
  CHECK ((chain IS NULL) = (tx_id IS NULL) AND (chain IS NULL) = (position IS NULL))
);

-- No row can have had the new word before.
ALTER TABLE entries
  DROP CONSTRAINT entries_fact_check,
  ADD CONSTRAINT entries_fact_check CHECK (fact IN
    ('deposit', 'unassigned-receipt', 'assignment', 'outflow', 'sent', 'network-fee', 'move', 'reservation', 'payout',
     'release', 'adoption')) NOT VALID;
