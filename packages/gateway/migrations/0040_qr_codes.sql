-- Static QR codes: addresses that anybody may pay to for good, and the payments that came to them.

CREATE TABLE qr_codes (
  qr_code_id       integer        GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  app_id           text           NOT NULL REFERENCES apps,
  -- What names the call that made it, its signature, and the hash of what was asked.
  idempotency_key  text           NOT NULL,
  signature        text           NOT NULL,
  input_hash       text           NOT NULL,
  name             text           NOT NULL,
  chain            text           NOT NULL,
  currency_id      integer        NOT NULL,
  -- What payers are meant to send, 0 where they choose.
  default_amount   numeric(100,0) NOT NULL CHECK (default_amount >= 0),
  address_id       bigint         NOT NULL UNIQUE REFERENCES addresses,
  create_time      bigint         NOT NULL,
  -- Payments of later blocks count as late; null while it takes payments.
  disabled_time    bigint,
  CONSTRAINT qr_codes_one_per_call UNIQUE (app_id, idempotency_key),
  CONSTRAINT qr_codes_one_per_signature UNIQUE (app_id, signature)
);
CREATE INDEX qr_codes_by_app ON qr_codes (app_id, qr_code_id);

-- The number of each payment, for ever. A transfer is one payment.
CREATE TABLE qr_payments (
  trade_no   text COLLATE "C" PRIMARY KEY,
  qr_code_id integer          NOT NULL REFERENCES qr_codes,
  chain      text             NOT NULL,
  tx_id      text             NOT NULL,
  position   text             NOT NULL,
  CONSTRAINT qr_payments_one_per_transfer UNIQUE (chain, tx_id, position)
);
CREATE INDEX qr_payments_by_code ON qr_payments (qr_code_id, trade_no);
