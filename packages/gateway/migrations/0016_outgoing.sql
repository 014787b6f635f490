-- Money that leaves our addresses: senders, outgoing transactions, their signed variants, and what became of them.

-- One for each address of ours that sends on a chain.
CREATE TABLE senders (
  sender_id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  chain          text   NOT NULL,
  address_id     bigint NOT NULL REFERENCES addresses,
  -- The nonce that was never given out yet, and the one below which all are spent by final blocks. Null before the
  -- account was asked for, and where the family has no nonces.
  next_nonce     bigint,
  final_nonce    bigint,
  -- The time written into its last transaction on Tron: two equal transfers of one millisecond would be one.
  last_timestamp_ms bigint NOT NULL DEFAULT 0,
  -- Why nothing is signed for it any more until an operator has looked.
  stopped_reason text,
  stopped_at_ms  bigint,
  UNIQUE (chain, address_id),
  CHECK ((next_nonce IS NULL) = (final_nonce IS NULL)),
  CHECK ((stopped_reason IS NULL) = (stopped_at_ms IS NULL))
);

-- The intent stands here before anything is prepared. One subject has one outgoing transaction, for ever.
CREATE TABLE outgoing_transactions (
  outgoing_id      text COLLATE "C" PRIMARY KEY,
  sender_id          bigint         NOT NULL REFERENCES senders,
  chain            text           NOT NULL,
  subject_kind     text           NOT NULL CHECK (subject_kind IN ('payout', 'collection', 'funding', 'cold')),
  subject_id       text           NOT NULL,
  -- The subject as the signer is shown it, an approval or a recipient's key with it.
  subject          text           NOT NULL,
  currency_id      integer        NOT NULL,
  to_address       text           NOT NULL,
  units            numeric(100,0) NOT NULL CHECK (units > 0),
  -- The most that it may cost, in base units of the native currency.
  fee_cap          numeric(100,0) NOT NULL CHECK (fee_cap > 0),
  state            text           NOT NULL CHECK (state IN
    ('waiting', 'prepared', 'signed', 'succeeded', 'failed', 'mismatched', 'cancelled')),
  nonce            bigint,
  -- What stands in the way, and since when; null while nothing does.
  trouble          text,
  trouble_since_ms bigint,
  -- In a row; each makes the pause longer.
  failures         integer        NOT NULL DEFAULT 0,
  next_at_ms       bigint,
  created_at_ms    bigint         NOT NULL,
  ended_at_ms      bigint,
  -- Of the variant that is final, whichever that is.
  tx_id            text,
  UNIQUE (subject_kind, subject_id),
  UNIQUE (sender_id, nonce),
  CHECK ((trouble IS NULL) = (trouble_since_ms IS NULL)),
  CHECK ((state IN ('waiting', 'prepared', 'signed')) = (next_at_ms IS NOT NULL)),
  CHECK ((state IN ('waiting', 'prepared', 'signed')) = (ended_at_ms IS NULL)),
  CHECK ((state IN ('succeeded', 'failed', 'mismatched')) = (tx_id IS NOT NULL)),
  CHECK (state NOT IN ('waiting', 'cancelled') OR nonce IS NULL)
);
CREATE INDEX outgoing_due ON outgoing_transactions (chain, next_at_ms) WHERE next_at_ms IS NOT NULL;
CREATE INDEX outgoing_open ON outgoing_transactions (sender_id, nonce) WHERE next_at_ms IS NOT NULL;

-- Signed, or about to be. Any one may win; all of one outgoing transaction exclude each other on the chain.
CREATE TABLE outgoing_variants (
  outgoing_id    text COLLATE "C" NOT NULL REFERENCES outgoing_transactions,
  ordinal        integer          NOT NULL CHECK (ordinal > 0),
  chain          text             NOT NULL,
  -- Exactly what the signer is asked for.
  intent         text             NOT NULL,
  -- After which no block can include it, by the clock of blocks; null where it never expires.
  expires_at_ms  bigint,
  -- The height of the block it refers to; null where it refers to none.
  reference      bigint,
  prepared_at_ms bigint           NOT NULL,
  -- Of what was signed: stored before anything is sent.
  tx_id          text,
  bytes          text,
  signed_at_ms   bigint,
  -- Of the signer's log, with this answer.
  log_sequence   bigint,
  sends          integer          NOT NULL DEFAULT 0,
  last_sent_ms   bigint,
  last_answer    text,
  PRIMARY KEY (outgoing_id, ordinal),
  UNIQUE (chain, tx_id),
  CHECK ((tx_id IS NULL) = (bytes IS NULL)),
  CHECK ((tx_id IS NULL) = (signed_at_ms IS NULL)),
  CHECK ((tx_id IS NULL) = (log_sequence IS NULL)),
  CHECK (sends = 0 OR bytes IS NOT NULL)
);
CREATE INDEX outgoing_variants_by_log ON outgoing_variants (log_sequence) WHERE log_sequence IS NOT NULL;

-- In which block a variant is, and what it cost: seen as its block is, final with it, gone with a reorg.
CREATE TABLE inclusions (
  chain        text           NOT NULL,
  tx_id        text           NOT NULL,
  block_number bigint         NOT NULL,
  block_hash   text           NOT NULL,
  block_time   bigint         NOT NULL,
  status       text           NOT NULL CHECK (status IN ('succeeded', 'failed')),
  -- Who paid the fee, and how much of the native currency.
  address_id   bigint         NOT NULL REFERENCES addresses,
  currency_id  integer        NOT NULL,
  fee          numeric(100,0) NOT NULL CHECK (fee >= 0),
  final        boolean        NOT NULL DEFAULT false,
  PRIMARY KEY (chain, tx_id),
  FOREIGN KEY (chain, tx_id) REFERENCES outgoing_variants (chain, tx_id)
);
CREATE INDEX inclusions_seen ON inclusions (chain, block_number) WHERE NOT final;
CREATE INDEX inclusions_by_address ON inclusions (address_id);
CREATE INDEX inclusions_by_block ON inclusions (chain, block_number);
CREATE INDEX outgoing_mismatched ON outgoing_transactions (chain) WHERE state = 'mismatched';
