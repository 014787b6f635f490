-- Receipts that go back where a person says: each refund is a payout, and its money may come from what is unassigned.

ALTER TABLE payouts
  ADD COLUMN source text NOT NULL DEFAULT 'available' CHECK (source IN ('available', 'unassigned'));

-- A receipt may have several, of which all but one failed or were cancelled.
CREATE TABLE receipt_refunds (
  trade_no    text COLLATE "C" PRIMARY KEY REFERENCES payouts,
  chain       text   NOT NULL,
  tx_id       text   NOT NULL,
  position    text   NOT NULL,
  refunded_by text   NOT NULL,
  reason      text   NOT NULL,
  at_ms       bigint NOT NULL
);
CREATE INDEX receipt_refunds_by_receipt ON receipt_refunds (chain, tx_id, position);
