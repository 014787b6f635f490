-- Payouts: money that merchants send from the balances of their apps, and what operators allow them.

ALTER TABLE merchants
  ADD COLUMN payout_fee_ppm integer NOT NULL DEFAULT 300 CHECK (payout_fee_ppm >= 0 AND payout_fee_ppm <= 999999);

-- One row for each app that ever asked for a payout or whose operator set something. Locked while a payout is made, so
-- that an app makes one at a time.
CREATE TABLE payout_settings (
  app_id              text           PRIMARY KEY REFERENCES apps,
  fee_mode            text           NOT NULL DEFAULT 'on-top' CHECK (fee_mode IN ('on-top', 'deducted')),
  -- In 10^-6 USD; null means without.
  max_value           numeric(100,0) DEFAULT 10000000000 CHECK (max_value >= 0),
  max_day_value       numeric(100,0) DEFAULT 50000000000 CHECK (max_day_value >= 0),
  approval_above      numeric(100,0) CHECK (approval_above >= 0),
  address_list        boolean        NOT NULL DEFAULT false,
  cooling_s           integer        NOT NULL DEFAULT 86400 CHECK (cooling_s >= 0),
  -- Sealed under the master secret; null while no codes are asked for.
  otp_secret          bytea,
  otp_last_step       bigint         NOT NULL DEFAULT -1,
  otp_failures        integer        NOT NULL DEFAULT 0,
  otp_locked_until_ms bigint         NOT NULL DEFAULT 0
);

-- Where an app may send money while its address list is on. Chains of one family share their addresses.
CREATE TABLE payout_addresses (
  app_id      text   NOT NULL REFERENCES apps,
  family      text   NOT NULL,
  address     text   NOT NULL,
  label       text   NOT NULL,
  added_by    text   NOT NULL,
  added_at_ms bigint NOT NULL,
  PRIMARY KEY (app_id, family, address)
);

CREATE TABLE payouts (
  trade_no        text COLLATE "C" PRIMARY KEY,
  app_id          text             NOT NULL REFERENCES apps,
  -- What names the call that made it, its signature, and the hash of what was asked.
  idempotency_key text             NOT NULL,
  signature       text             NOT NULL,
  input_hash      text             NOT NULL,
  chain           text             NOT NULL,
  currency_id     integer          NOT NULL,
  to_address      text             NOT NULL,
  amount          numeric(100,0)   NOT NULL CHECK (amount > 0),
  service_charge  numeric(100,0)   NOT NULL CHECK (service_charge >= 0),
  gas             numeric(100,0)   NOT NULL CHECK (gas >= 0),
  receipt         numeric(100,0)   NOT NULL CHECK (receipt > 0),
  reserved        numeric(100,0)   NOT NULL,
  -- The network fee as it was quoted, in base units of the native currency.
  fee_currency_id integer          NOT NULL,
  network_fee     numeric(100,0)   NOT NULL CHECK (network_fee >= 0),
  -- The most that its transaction may cost unless an approver says otherwise.
  fee_cap         numeric(100,0)   NOT NULL CHECK (fee_cap >= network_fee),
  -- What the amount was worth, in 10^-6 USD; null where nobody could say.
  value           numeric(100,0),
  status          text             NOT NULL
    CHECK (status IN ('PROGRESS', 'CONFIRMING-PROGRESS', 'PAID', 'FAIL', 'CANCEL')),
  needs_approval  boolean          NOT NULL,
  approved_until  bigint,
  claimed         boolean          NOT NULL DEFAULT false,
  callback_url    text,
  create_time     bigint           NOT NULL,
  start_time      bigint,
  -- The transaction that a PAID or a FAIL rests on, and the time of its block; of a CANCEL who, why and when.
  end_tx_id       text,
  end_time        bigint,
  ended_by        text,
  end_reason      text,
  UNIQUE (app_id, idempotency_key),
  UNIQUE (app_id, signature),
  CHECK (reserved = receipt + service_charge + gas),
  CHECK ((status IN ('CONFIRMING-PROGRESS', 'PAID', 'FAIL')) = (start_time IS NOT NULL)),
  CHECK ((status IN ('PAID', 'FAIL', 'CANCEL')) = (end_time IS NOT NULL)),
  CHECK ((status = 'CANCEL') = (ended_by IS NOT NULL AND end_reason IS NOT NULL))
);
CREATE INDEX payouts_by_app ON payouts (app_id, trade_no);
CREATE INDEX payouts_unclaimed ON payouts (chain, trade_no) WHERE status = 'PROGRESS' AND NOT claimed;
CREATE INDEX payouts_open ON payouts (trade_no) WHERE status IN ('PROGRESS', 'CONFIRMING-PROGRESS');
-- For the limit of a day: read without the rows themselves.
CREATE INDEX payouts_by_time ON payouts (app_id, create_time) INCLUDE (value) WHERE status NOT IN ('FAIL', 'CANCEL');

-- Signed by a person with a key that is on no machine of the gateway. The signer checks it; here it is only kept.
CREATE TABLE payout_approvals (
  trade_no       text COLLATE "C" NOT NULL REFERENCES payouts,
  approver       text             NOT NULL,
  -- The most that the transaction may cost, in base units of the native currency.
  fee_cap        numeric(100,0)   NOT NULL CHECK (fee_cap > 0),
  -- Unix seconds.
  expiry         bigint           NOT NULL,
  signature      text             NOT NULL,
  approved_at_ms bigint           NOT NULL,
  PRIMARY KEY (trade_no, approver)
);

ALTER TABLE accounts
  DROP CONSTRAINT accounts_kind_check,
  ADD CONSTRAINT accounts_kind_check CHECK (kind IN
    ('custody', 'suspense', 'sent', 'network-fee', 'available', 'frozen', 'unassigned', 'fee', 'network-charge')),
  DROP CONSTRAINT accounts_sign_check,
  ADD CONSTRAINT accounts_sign_check
    CHECK (CASE WHEN kind = 'custody' THEN true WHEN kind IN ('suspense', 'sent', 'network-fee') THEN balance <= 0
      ELSE balance >= 0 END);

-- No row can have had one of the new words before.
ALTER TABLE entries
  DROP CONSTRAINT entries_fact_check,
  ADD CONSTRAINT entries_fact_check CHECK (fact IN
    ('deposit', 'unassigned-receipt', 'assignment', 'outflow', 'sent', 'network-fee', 'move', 'reservation', 'payout',
     'release')) NOT VALID;
