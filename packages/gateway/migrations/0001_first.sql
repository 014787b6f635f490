-- The first schema: merchants and apps, addresses, orders, chains, transfers, the ledger, the outbox.
-- Times are handed in by the gateway, never read from the database's clock:
-- *_at_ms are Unix milliseconds, *_time are Unix seconds as blocks and the wire count.

-- Amounts are numeric(100, 0): a token may move 2^256 - 1 units at once, and sums of such amounts must still fit.

-- What each currency number means, written when it is first configured and never changed: amounts without their
-- decimals are nothing.
CREATE TABLE currencies (
  currency_id integer PRIMARY KEY,
  chain       text    NOT NULL,
  symbol      text    NOT NULL,
  -- Empty for a main currency.
  contract    text    NOT NULL,
  decimals    integer NOT NULL
);

CREATE TABLE merchants (
  merchant_id     text    PRIMARY KEY,
  name            text    NOT NULL,
  deposit_fee_ppm integer NOT NULL CHECK (deposit_fee_ppm BETWEEN 0 AND 999999),
  created_at_ms   bigint  NOT NULL
);

-- Each app has a hardened account of its own below the seed: m/44'/60'/account'.
CREATE SEQUENCE app_accounts MINVALUE 0 MAXVALUE 2147483647 START 0;

CREATE TABLE apps (
  app_id                text    PRIMARY KEY,
  merchant_id           text    NOT NULL REFERENCES merchants,
  name                  text    NOT NULL,
  kind                  text    NOT NULL CHECK (kind IN ('PAYMENT', 'QR_CODE')),
  enabled               boolean NOT NULL DEFAULT true,
  account               integer NOT NULL UNIQUE,
  callback_url          text,
  tolerance_ppm         integer NOT NULL DEFAULT 0 CHECK (tolerance_ppm BETWEEN 0 AND 999999),
  sealed_key            bytea   NOT NULL,
  previous_sealed_key   bytea,
  previous_key_until_ms bigint,
  created_at_ms         bigint  NOT NULL
);

-- Currencies that an app does not take; what is not listed it takes.
CREATE TABLE app_currencies_off (
  app_id      text    NOT NULL REFERENCES apps,
  currency_id integer NOT NULL,
  PRIMARY KEY (app_id, currency_id)
);

-- Account-level extended public keys, as the signer gave them out. No private key is ever in this database.
CREATE TABLE account_keys (
  app_id             text NOT NULL REFERENCES apps,
  family             text NOT NULL,
  account_public_key text NOT NULL,
  PRIMARY KEY (app_id, family)
);

-- Derived ahead; trade_no is null while an address waits in the pool, and for ever where it was retired before.
CREATE TABLE addresses (
  address_id       bigint  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  app_id           text    NOT NULL REFERENCES apps,
  family           text    NOT NULL,
  derivation_index integer NOT NULL CHECK (derivation_index >= 0),
  address          text    NOT NULL,
  trade_no         text,
  -- Never handed out from now on, and watched like every other: before a backup came back it may have been given away.
  retired          boolean NOT NULL DEFAULT false,
  UNIQUE (family, address),
  UNIQUE (app_id, family, derivation_index)
);
CREATE INDEX addresses_pool ON addresses (app_id, family, address_id) WHERE trade_no IS NULL AND NOT retired;

CREATE TABLE orders (
  trade_no      text           PRIMARY KEY,
  app_id        text           NOT NULL REFERENCES apps,
  out_trade_no  text           NOT NULL,
  input_hash    text           NOT NULL,
  mode          text           NOT NULL CHECK (mode IN ('NATIVE', 'HOSTED')),
  chain         text           NOT NULL,
  currency_id   integer        NOT NULL,
  address_id    bigint         NOT NULL REFERENCES addresses,
  address       text           NOT NULL,
  due           numeric(100, 0) NOT NULL CHECK (due > 0),
  collected     numeric(100, 0) NOT NULL CHECK (collected >= 0),
  tolerance_ppm integer        NOT NULL,
  -- The newest final transfer that counted, empty before the first.
  last_tx_id    text           NOT NULL DEFAULT '',
  status        text           NOT NULL CHECK (status IN ('TO-BE-PAID', 'PAID', 'TIME-OUT')),
  fiat_name     text,
  fiat_amount   text,
  quote         jsonb,
  callback_url  text,
  redirect_url  text,
  create_time   bigint         NOT NULL,
  time_expire   bigint         NOT NULL,
  UNIQUE (app_id, out_trade_no)
);
CREATE UNIQUE INDEX orders_live_address ON orders (address) WHERE status = 'TO-BE-PAID';
CREATE INDEX orders_to_expire ON orders (chain, time_expire) WHERE status = 'TO-BE-PAID';

ALTER TABLE addresses ADD FOREIGN KEY (trade_no) REFERENCES orders DEFERRABLE INITIALLY DEFERRED;

-- One row per chain: how far it was read, how far it is final. Null before the first block.
CREATE TABLE chain_cursors (
  chain         text   PRIMARY KEY,
  -- Where reading began: before the first final block the head may have to go back to here.
  start_number  bigint,
  head_number   bigint,
  head_hash     text,
  head_time     bigint,
  final_number  bigint,
  final_time    bigint,
  halted_reason text,
  updated_at_ms bigint NOT NULL
);

-- The accepted blocks of the window, hash linked; the deepest fork that can be undone.
CREATE TABLE blocks (
  chain       text   NOT NULL,
  number      bigint NOT NULL,
  hash        text   NOT NULL,
  parent_hash text   NOT NULL,
  time        bigint NOT NULL,
  PRIMARY KEY (chain, number)
);

-- The cursor never moves back without a row here.
CREATE TABLE reorgs (
  reorg_id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  chain           text   NOT NULL,
  from_number     bigint NOT NULL,
  from_hash       text   NOT NULL,
  -- Null where the whole window went, which is possible only before anything was final.
  ancestor_number bigint,
  ancestor_hash   text,
  orphaned        integer NOT NULL,
  at_ms           bigint NOT NULL
);

-- Every movement to an address of ours. The identity survives a new inclusion in another block.
CREATE TABLE transfers (
  chain        text           NOT NULL,
  tx_id        text           NOT NULL,
  position     text           NOT NULL,
  ordinal      integer        NOT NULL,
  currency_id  integer        NOT NULL,
  from_address text           NOT NULL,
  to_address   text           NOT NULL,
  units        numeric(100, 0) NOT NULL CHECK (units > 0),
  block_number bigint         NOT NULL,
  block_hash   text           NOT NULL,
  block_time   bigint         NOT NULL,
  state        text           NOT NULL CHECK (state IN ('seen', 'final', 'orphaned')),
  disposition  text           CHECK (disposition IN ('payment', 'late', 'extra', 'unassigned')),
  address_id   bigint         NOT NULL REFERENCES addresses,
  app_id       text           NOT NULL REFERENCES apps,
  -- The order the address belonged to when the transfer was first seen, whether or not it counts for it.
  trade_no     text           REFERENCES orders,
  PRIMARY KEY (chain, tx_id, position),
  CHECK ((state = 'final') = (disposition IS NOT NULL))
);
CREATE INDEX transfers_seen ON transfers (chain, block_number) WHERE state = 'seen';
CREATE INDEX transfers_by_address ON transfers (address_id);
CREATE INDEX transfers_by_order ON transfers (trade_no) WHERE trade_no IS NOT NULL;
CREATE INDEX transfers_unassigned ON transfers (app_id) WHERE disposition = 'unassigned';

-- The ledger. Entries and postings are only ever added; balances move with the postings and by nothing else.
CREATE TABLE accounts (
  account_id  bigint         GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind        text           NOT NULL CHECK (kind IN ('custody', 'available', 'frozen', 'unassigned', 'fee')),
  owner       text           NOT NULL,
  currency_id integer        NOT NULL,
  balance     numeric(100, 0) NOT NULL DEFAULT 0,
  UNIQUE (kind, owner, currency_id),
  UNIQUE (account_id, currency_id),
  CHECK (CASE WHEN kind = 'custody' THEN balance <= 0 ELSE balance >= 0 END)
);

CREATE TABLE entries (
  entry_id  bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  fact      text   NOT NULL CHECK (fact IN ('deposit', 'unassigned-receipt')),
  reference text   NOT NULL,
  at_ms     bigint NOT NULL,
  UNIQUE (fact, reference)
);
-- A transfer is booked once, whatever it was booked as.
CREATE UNIQUE INDEX entries_one_per_transfer ON entries (reference) WHERE fact IN ('deposit', 'unassigned-receipt');

CREATE TABLE postings (
  entry_id    bigint         NOT NULL REFERENCES entries,
  account_id  bigint         NOT NULL,
  currency_id integer        NOT NULL,
  units       numeric(100, 0) NOT NULL CHECK (units <> 0),
  PRIMARY KEY (entry_id, account_id),
  FOREIGN KEY (account_id, currency_id) REFERENCES accounts (account_id, currency_id)
);
CREATE INDEX postings_by_account ON postings (account_id);

-- The postings of an entry come in one statement and must balance in each currency.
CREATE FUNCTION postings_balance() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM added GROUP BY entry_id, currency_id HAVING sum(units) <> 0) THEN
    RAISE EXCEPTION 'postings do not balance' USING ERRCODE = 'check_violation';
  END IF;
  UPDATE accounts SET balance = balance + moved.units
  FROM (SELECT account_id, sum(units) AS units FROM added GROUP BY account_id) AS moved
  WHERE accounts.account_id = moved.account_id;
  RETURN NULL;
END $$;
CREATE TRIGGER postings_balance AFTER INSERT ON postings
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION postings_balance();

CREATE FUNCTION append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON entries
  FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON postings
  FOR EACH STATEMENT EXECUTE FUNCTION append_only();

-- The outbox: what merchants are told. Body and address are fixed when the event is written.
CREATE TABLE events (
  event_id           text    PRIMARY KEY,
  sequence           bigint  GENERATED ALWAYS AS IDENTITY,
  app_id             text    NOT NULL REFERENCES apps,
  trade_no           text    NOT NULL REFERENCES orders,
  type               text    NOT NULL CHECK (type IN ('PAYMENT')),
  status             text    NOT NULL,
  final              boolean NOT NULL,
  body               text    NOT NULL,
  -- Null where the merchant gave no address to call: kept as a record, never sent.
  url                text,
  -- Host and port of the address. Events wait in a queue for each app and receiver, so that none holds up the others.
  receiver           text,
  state              text    NOT NULL CHECK (state IN ('pending', 'delivered', 'dead', 'unsent')),
  -- Claims made so far. The number of a claim is its fencing token: a late answer carries an older number.
  attempts           integer NOT NULL DEFAULT 0,
  -- Attempts made before the retry ladder was last begun, that is before the last resend.
  ladder_start       integer NOT NULL DEFAULT 0,
  -- While an attempt is under way, the end of its lease and the ladder's wait on top: a claim whose process died is
  -- due again by itself, and never early.
  next_attempt_at_ms bigint,
  -- Null unless the newest attempt has no recorded end; from this time on its process counts as dead.
  leased_until_ms    bigint,
  created_at_ms      bigint  NOT NULL,
  CHECK ((state = 'pending') = (next_attempt_at_ms IS NOT NULL)),
  CHECK ((url IS NULL) = (state = 'unsent')),
  CHECK ((url IS NULL) = (receiver IS NULL)),
  CHECK (ladder_start BETWEEN 0 AND attempts)
);
-- A late order that its merchant accepts is told PAID after its TIME-OUT (decision B11), and nothing twice.
CREATE UNIQUE INDEX events_one_final ON events (trade_no, status) WHERE final;
CREATE INDEX events_due ON events (app_id, receiver, next_attempt_at_ms, sequence) WHERE state = 'pending';
CREATE INDEX events_unfinished ON events (trade_no, sequence) WHERE state = 'pending';
CREATE INDEX events_by_order ON events (trade_no, sequence);
CREATE INDEX events_dead ON events (app_id, sequence) WHERE state = 'dead';

CREATE TABLE delivery_attempts (
  event_id      text    NOT NULL REFERENCES events,
  attempt       integer NOT NULL,
  started_at_ms bigint  NOT NULL,
  -- Null while the attempt is unfinished.
  duration_ms   integer,
  -- Null where no answer came; the answer's body is never kept, it may show what the merchant's network hides.
  http_status   integer,
  -- Written as 'unfinished' when the attempt is claimed, which it stays when the process dies.
  outcome       text    NOT NULL,
  PRIMARY KEY (event_id, attempt)
);
