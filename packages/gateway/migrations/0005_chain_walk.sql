-- What the new chain walk writes: blocks that do not prove themselves, transfers from our addresses, internal
-- transactions that a balance has to confirm, and how far balances were compared.
-- No statement here reads or rewrites a large table. Each changes the catalogue alone, under a lock that is held for
-- milliseconds. New rows are checked from now on; 0010 proves that the old ones fit, and stops nobody meanwhile.

-- Whether the transfers of a block follow from its hash, or a quorum reported them. No other block becomes final.
ALTER TABLE blocks ADD COLUMN proven boolean NOT NULL DEFAULT false;

-- An order's, the same for every payer (static), or one that money is collected into and paid from (wallet). A wallet
-- without an app is the gateway's own.
ALTER TABLE addresses
  ADD COLUMN purpose text NOT NULL DEFAULT 'order',
  ALTER COLUMN app_id DROP NOT NULL,
  ADD CONSTRAINT addresses_purpose_check CHECK (purpose IN ('order', 'static', 'wallet')) NOT VALID,
  ADD CONSTRAINT addresses_owner_check CHECK (purpose = 'wallet' OR app_id IS NOT NULL) NOT VALID,
  ADD CONSTRAINT addresses_order_check CHECK (purpose = 'order' OR trade_no IS NULL) NOT VALID;

-- A transfer has two sides, and one of them is ours: address_id and app_id are of the recipient.
-- A proposed transfer is an internal transaction that one provider reported: a balance confirms it, or it never settles.
ALTER TABLE transfers
  ALTER COLUMN address_id DROP NOT NULL,
  ALTER COLUMN app_id DROP NOT NULL,
  ADD COLUMN from_address_id bigint,
  ADD CONSTRAINT transfers_from_address_id_fkey FOREIGN KEY (from_address_id) REFERENCES addresses NOT VALID,
  ADD CONSTRAINT transfers_ours_check CHECK (address_id IS NOT NULL OR from_address_id IS NOT NULL) NOT VALID,
  DROP CONSTRAINT transfers_state_check,
  ADD CONSTRAINT transfers_state_check CHECK (state IN ('proposed', 'seen', 'final', 'orphaned')) NOT VALID,
  DROP CONSTRAINT transfers_disposition_check,
  ADD CONSTRAINT transfers_disposition_check
    CHECK (disposition IN ('payment', 'late', 'extra', 'unassigned', 'outgoing', 'own')) NOT VALID;

-- Up to this final block the native balances were compared, so that internal transactions are known.
ALTER TABLE chain_cursors
  ADD COLUMN searched_number bigint,
  ADD COLUMN searched_time bigint;
UPDATE chain_cursors SET searched_number = final_number, searched_time = final_time;

-- What left our addresses and nobody meant to send is carried negative, as custody is. Custody itself may pass zero: a
-- wallet may spend what it held before its chain was watched, and a token may report what it likes. The audit reports it.
ALTER TABLE accounts
  DROP CONSTRAINT accounts_kind_check,
  ADD CONSTRAINT accounts_kind_check
    CHECK (kind IN ('custody', 'suspense', 'available', 'frozen', 'unassigned', 'fee')),
  DROP CONSTRAINT accounts_check,
  ADD CONSTRAINT accounts_sign_check
    CHECK (CASE kind WHEN 'custody' THEN true WHEN 'suspense' THEN balance <= 0 ELSE balance >= 0 END);

ALTER TABLE entries
  DROP CONSTRAINT entries_fact_check,
  ADD CONSTRAINT entries_fact_check
    CHECK (fact IN ('deposit', 'unassigned-receipt', 'assignment', 'outflow', 'move')) NOT VALID;

-- Who assigned an unassigned receipt to which order, and why.
CREATE TABLE receipt_assignments (
  chain       text   NOT NULL,
  tx_id       text   NOT NULL,
  position    text   NOT NULL,
  trade_no    text   NOT NULL REFERENCES orders,
  assigned_by text   NOT NULL,
  reason      text   NOT NULL,
  at_ms       bigint NOT NULL,
  PRIMARY KEY (chain, tx_id, position)
);
CREATE INDEX receipt_assignments_by_order ON receipt_assignments (trade_no);

-- Currencies that take no new orders until an operator has looked.
CREATE TABLE currency_suspensions (
  currency_id integer PRIMARY KEY,
  reason      text    NOT NULL,
  since_ms    bigint  NOT NULL
);
