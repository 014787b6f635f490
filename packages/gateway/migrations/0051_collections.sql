-- What deposit addresses hold is moved into wallets.

-- A deposit address that received something final, by currency, until all of it was collected.
CREATE TABLE holdings (
  chain       text           NOT NULL,
  address_id  bigint         NOT NULL REFERENCES addresses,
  currency_id integer        NOT NULL,
  app_id      text           NOT NULL REFERENCES apps,
  -- 'waiting' for its next look, 'small' where it is not worth moving, 'frozen' where it cannot be moved,
  -- 'collecting' while it is.
  state       text           NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'small', 'frozen', 'collecting')),
  -- What lies there, as of the last look.
  units       numeric(100,0) NOT NULL DEFAULT 0 CHECK (units >= 0),
  since_ms    bigint         NOT NULL,
  -- Null while it is being collected, and where only an operator can help.
  next_at_ms  bigint,
  looked_at_ms bigint        NOT NULL DEFAULT 0,
  -- For the operator: why it still lies there.
  reason      text,
  -- Rises with each arrival: a look decides nothing about what came after it.
  arrivals    bigint         NOT NULL DEFAULT 1,
  -- Collections in a row that moved nothing.
  failures    integer        NOT NULL DEFAULT 0,
  PRIMARY KEY (chain, address_id, currency_id),
  CHECK (state <> 'collecting' OR next_at_ms IS NULL),
  CHECK (state IN ('collecting', 'frozen') OR next_at_ms IS NOT NULL),
  CHECK (state <> 'frozen' OR reason IS NOT NULL)
);
CREATE INDEX holdings_due ON holdings (chain, next_at_ms) WHERE next_at_ms IS NOT NULL;
CREATE INDEX holdings_by_app ON holdings (app_id, currency_id);

-- One for each attempt to empty an address of a currency: its transfers are outgoing transactions of this subject.
CREATE TABLE collections (
  collection_id text COLLATE "C" PRIMARY KEY,
  chain         text           NOT NULL,
  address_id    bigint         NOT NULL REFERENCES addresses,
  currency_id   integer        NOT NULL,
  wallet_id     bigint         NOT NULL REFERENCES addresses (address_id),
  units         numeric(100,0) NOT NULL CHECK (units > 0),
  method        text           NOT NULL CHECK (method IN ('native', 'plain', 'funded')),
  -- The most that its transfer may cost, in the native currency.
  gas           numeric(100,0) NOT NULL CHECK (gas > 0),
  -- What all of it was expected to cost when it began, for the day's budget.
  cost          numeric(100,0) NOT NULL CHECK (cost >= 0),
  state         text           NOT NULL CHECK (state IN ('funding', 'moving', 'collected', 'failed', 'withdrawn')),
  reason        text,
  started_at_ms bigint         NOT NULL,
  ended_at_ms   bigint,
  CHECK ((state IN ('funding', 'moving')) = (ended_at_ms IS NULL))
);
-- The coin of an address pays for one at a time.
CREATE UNIQUE INDEX collections_open ON collections (chain, address_id) WHERE ended_at_ms IS NULL;
CREATE INDEX collections_started ON collections (chain, started_at_ms);

-- What came before there was collection.
INSERT INTO holdings (chain, address_id, currency_id, app_id, since_ms, next_at_ms)
SELECT t.chain, t.address_id, t.currency_id, d.app_id, min(t.block_time) * 1000, 0
FROM transfers t JOIN addresses d USING (address_id)
WHERE t.state = 'final' AND t.disposition <> 'own' AND d.purpose <> 'wallet'
GROUP BY t.chain, t.address_id, t.currency_id, d.app_id;
