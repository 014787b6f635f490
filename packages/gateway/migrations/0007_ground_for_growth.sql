-- Ground for growth: events about anything, keys that hold for ever, lists by time, and archives for what is finished.
-- Processes of an older build write no keys: stop all of them before this runs (docs/operate/install.md).

-- Ids are compared byte by byte. In that order they stand in the order of their time, whatever the collation of the
-- database is, so that lists, retention and partitions can cut by id.
ALTER TABLE orders ALTER COLUMN trade_no TYPE text COLLATE "C";
ALTER TABLE addresses ALTER COLUMN trade_no TYPE text COLLATE "C";
ALTER TABLE transfers ALTER COLUMN trade_no TYPE text COLLATE "C";
ALTER TABLE receipt_assignments ALTER COLUMN trade_no TYPE text COLLATE "C";

-- An event is about whatever its trade_no names: an order, a payment to a static address, a payout.
ALTER TABLE events
  DROP CONSTRAINT events_trade_no_fkey,
  DROP CONSTRAINT events_type_check,
  ADD CONSTRAINT events_type_check CHECK (type IN ('PAYMENT', 'TRANSFER', 'QR_PAYMENT')),
  ALTER COLUMN event_id TYPE text COLLATE "C",
  ALTER COLUMN trade_no TYPE text COLLATE "C";
ALTER TABLE delivery_attempts ALTER COLUMN event_id TYPE text COLLATE "C";
-- The attempts made before the retry schedule was last begun, that is before the last resend.
ALTER TABLE events RENAME COLUMN ladder_start TO schedule_start;

-- Which order has a merchant's number, for ever. A table of its own, because a key of orders that are partitioned by
-- time would hold within each partition alone.
CREATE TABLE order_keys (
  app_id       text             NOT NULL,
  out_trade_no text             NOT NULL,
  trade_no     text COLLATE "C" NOT NULL,
  PRIMARY KEY (app_id, out_trade_no)
);
INSERT INTO order_keys SELECT app_id, out_trade_no, trade_no FROM orders;
ALTER TABLE orders DROP CONSTRAINT orders_app_id_out_trade_no_key;

-- The one final event of each subject and status, for ever: it holds after the event has gone to the archive.
CREATE TABLE final_events (
  trade_no text COLLATE "C" NOT NULL,
  status   text             NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (trade_no, status)
);
INSERT INTO final_events SELECT trade_no, status, event_id FROM events WHERE final;
DROP INDEX events_one_final;

-- Lists by app, newest first: ids are time-ordered.
CREATE INDEX orders_by_app ON orders (app_id, trade_no);
CREATE INDEX events_by_app ON events (app_id, event_id);
DROP INDEX events_dead;
CREATE INDEX events_dead ON events (app_id, event_id) WHERE state = 'dead';
CREATE INDEX transfers_by_app ON transfers (app_id, block_time) WHERE app_id IS NOT NULL;

-- The readings that the rate of an order was made from. Most of the bytes of an order, and rarely looked at: apart from
-- the row that each payment writes anew, and moved to the archive when old.
CREATE TABLE quote_evidence (
  trade_no text COLLATE "C" PRIMARY KEY,
  evidence jsonb            NOT NULL
);
INSERT INTO quote_evidence
  SELECT trade_no, quote -> 'evidence' FROM orders
  WHERE jsonb_typeof(quote -> 'evidence') = 'array' AND quote -> 'evidence' <> '[]';
UPDATE orders SET quote = quote - 'evidence' WHERE jsonb_typeof(quote) = 'object' AND quote ? 'evidence';

-- What is finished and old, kept out of the way of what is not. Nothing is written here but by retention and by a resend.
CREATE TABLE archived_events (
  event_id       text COLLATE "C" PRIMARY KEY,
  sequence       bigint           NOT NULL,
  app_id         text             NOT NULL,
  trade_no       text COLLATE "C" NOT NULL,
  type           text             NOT NULL,
  status         text             NOT NULL,
  final          boolean          NOT NULL,
  body           text             NOT NULL,
  url            text,
  receiver       text,
  state          text             NOT NULL CHECK (state IN ('delivered', 'dead', 'unsent')),
  attempts       integer          NOT NULL,
  schedule_start integer          NOT NULL,
  created_at_ms  bigint           NOT NULL
);
CREATE INDEX archived_events_by_app ON archived_events (app_id, event_id);
CREATE INDEX archived_events_by_subject ON archived_events (trade_no, sequence);
CREATE INDEX archived_events_dead ON archived_events (app_id, event_id) WHERE state = 'dead';

CREATE TABLE archived_delivery_attempts (
  event_id      text COLLATE "C" NOT NULL,
  attempt       integer          NOT NULL,
  started_at_ms bigint           NOT NULL,
  duration_ms   integer,
  http_status   integer,
  outcome       text             NOT NULL,
  PRIMARY KEY (event_id, attempt)
);

CREATE TABLE archived_quote_evidence (
  trade_no text COLLATE "C" PRIMARY KEY,
  evidence jsonb            NOT NULL
);

-- How far a table is copied while `ducat database partition` turns it into a partitioned one; empty at all other times.
CREATE TABLE partitioning (
  table_name text   PRIMARY KEY,
  -- In blocks of the file of the plain table.
  next_block bigint NOT NULL,
  blocks     bigint NOT NULL
);

-- Ids of events were chance before. What is finished of those goes to the archive now: by its id it would never be old.
WITH old AS (
  DELETE FROM delivery_attempts USING events
  WHERE events.event_id = delivery_attempts.event_id AND length(events.event_id) < 34 AND state <> 'pending'
  RETURNING delivery_attempts.*
)
INSERT INTO archived_delivery_attempts SELECT event_id, attempt, started_at_ms, duration_ms, http_status, outcome FROM old;
WITH old AS (DELETE FROM events WHERE length(event_id) < 34 AND state <> 'pending' RETURNING *)
INSERT INTO archived_events
  SELECT event_id, sequence, app_id, trade_no, type, status, final, body, url, receiver, state, attempts, schedule_start,
         created_at_ms
  FROM old;
