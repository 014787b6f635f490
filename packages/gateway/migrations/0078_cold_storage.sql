-- Cold storage: addresses whose keys are not the signer's, and who sent money there.

-- Of the configuration, written at each start; what comes from them to a wallet comes back.
CREATE TABLE cold_addresses (
  chain   text NOT NULL,
  -- Canonical.
  address text NOT NULL,
  PRIMARY KEY (chain, address)
);

-- One for each that was asked for: its transfer is the outgoing transaction of this subject.
CREATE TABLE cold_transfers (
  cold_transfer_id text COLLATE "C" PRIMARY KEY,
  asked_by         text   NOT NULL,
  reason           text   NOT NULL,
  at_ms            bigint NOT NULL
);

ALTER TABLE accounts
  DROP CONSTRAINT accounts_kind_check,
  ADD CONSTRAINT accounts_kind_check CHECK (kind IN
    ('custody', 'cold', 'suspense', 'sent', 'network-fee', 'available', 'frozen', 'unassigned', 'fee', 'network-charge')),
  DROP CONSTRAINT accounts_sign_check,
  -- More may come back from cold storage than was sent there: the operator's own.
  ADD CONSTRAINT accounts_sign_check
    CHECK (CASE WHEN kind IN ('custody', 'cold') THEN true
      WHEN kind IN ('suspense', 'sent', 'network-fee') THEN balance <= 0 ELSE balance >= 0 END);

-- No row can have had the new word before.
ALTER TABLE entries
  DROP CONSTRAINT entries_fact_check,
  ADD CONSTRAINT entries_fact_check CHECK (fact IN
    ('deposit', 'unassigned-receipt', 'assignment', 'outflow', 'sent', 'network-fee', 'move', 'reservation', 'payout',
     'release', 'adoption', 'sent-unread', 'cold-transfer')) NOT VALID;
