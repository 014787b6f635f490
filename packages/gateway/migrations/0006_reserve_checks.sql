-- What the checks of the books keep: how far balances were compared with the chains, what differs, and up to where the
-- postings were audited. All of it is small: no row for an address that holds what it should.

-- A row for each chain and currency whose balances are compared.
CREATE TABLE reserve_checks (
  chain              text    NOT NULL,
  currency_id        integer NOT NULL,
  began_ms           bigint  NOT NULL,
  -- Every address that a final transfer up to this block touched was compared after it.
  touched_until      bigint  NOT NULL,
  -- The round over all used addresses, by address_id: from 0 to the newest row there was when it began.
  round_started_ms   bigint  NOT NULL,
  round_position     bigint  NOT NULL,
  round_end          bigint  NOT NULL,
  -- Addresses compared in this round, and in the last one that was finished; null before.
  round_checked      bigint  NOT NULL DEFAULT 0,
  last_round_checked bigint,
  -- When each of 24 equal parts of the address rows was compared; null for a part that never was.
  parts_ms           bigint[] NOT NULL DEFAULT '{}',
  -- Why it could not be compared at the last attempt, and since when attempts fail; null where the last one worked.
  trouble            text,
  trouble_since_ms   bigint,
  PRIMARY KEY (chain, currency_id),
  CHECK ((trouble IS NULL) = (trouble_since_ms IS NULL))
);

-- A row while an address holds something else than the books say, confirmed by a quorum of providers.
CREATE TABLE balance_differences (
  chain       text           NOT NULL,
  currency_id integer        NOT NULL,
  address_id  bigint         NOT NULL REFERENCES addresses,
  expected    numeric(100,0) NOT NULL,
  actual      numeric(100,0) NOT NULL,
  -- The block at which they were compared last.
  at_block    bigint         NOT NULL,
  since_ms    bigint         NOT NULL,
  -- Whether it has suspended its currency: an operator who resumes the currency is not overruled by what they saw.
  raised      boolean        NOT NULL DEFAULT false,
  PRIMARY KEY (chain, currency_id, address_id),
  CHECK (expected <> actual)
);

-- Up to where the books were audited: by entry_id, and for each chain by block.
CREATE TABLE audit_marks (
  name      text   PRIMARY KEY,
  position  bigint NOT NULL,
  -- The next position, and the first transaction number that was not given out when it was read. Lower numbers of
  -- entries may still appear until every transaction below it has ended.
  ahead     bigint NOT NULL,
  ahead_xid xid8   NOT NULL,
  -- When it came here, or found that there was nothing to audit.
  at_ms     bigint NOT NULL
);

-- What the audited postings of an account come to.
CREATE TABLE audited_balances (
  account_id bigint         PRIMARY KEY REFERENCES accounts,
  units      numeric(100,0) NOT NULL
);

-- What the audit found wrong, in words, until `ducat audit --full` finds it right.
CREATE TABLE audit_findings (
  finding     text   PRIMARY KEY,
  found_at_ms bigint NOT NULL
);

-- The audit begins with what is booked from now on; `ducat audit --full` reads all the rest, whenever it suits.
-- Writers wait for a moment, so that balances and the newest entry belong together.
LOCK TABLE accounts, entries, postings IN SHARE MODE;
INSERT INTO audit_marks
  SELECT 'entries', coalesce(max(entry_id), 0), coalesce(max(entry_id), 0), pg_snapshot_xmax(pg_current_snapshot()), 0
  FROM entries;
INSERT INTO audited_balances SELECT account_id, balance FROM accounts;
