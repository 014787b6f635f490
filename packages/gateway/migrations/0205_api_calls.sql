-- Calls of the API, for the developers of a merchant to look into. A new table alone, so nobody waits. It refers to apps by
-- their ids and not by a constraint: apps are never deleted, and what writes here joins them.
CREATE TABLE api_calls (
  call_id        text COLLATE "C" PRIMARY KEY,
  app_id         text    NOT NULL,
  at_ms          bigint  NOT NULL,
  -- The name of an endpoint, or `other`.
  operation      text    NOT NULL,
  -- Method and path, without a query.
  path           text    NOT NULL,
  http_status    integer NOT NULL,
  code           integer NOT NULL,
  message        text    NOT NULL,
  -- Of many calls the longest.
  duration_ms    integer NOT NULL,
  address        text    NOT NULL,
  request_id     text    NOT NULL,
  body_bytes     integer NOT NULL,
  -- Whether it was signed with the key of the app.
  is_proven      boolean NOT NULL,
  out_trade_no   text,
  trade_no       text,
  -- More than one: so many calls like this one came within a minute of it.
  calls          integer NOT NULL,
  -- What a refused call brought, without secrets; null for any other.
  sent_timestamp text,
  sent_signature text,
  signature_fits boolean,
  sent_body      text,
  sent_body_is   text    CHECK (sent_body_is IN ('whole', 'cut', 'changed'))
);
CREATE INDEX api_calls_by_app ON api_calls (app_id, call_id);
CREATE INDEX api_calls_refused ON api_calls (app_id, call_id) WHERE code <> 0;
CREATE INDEX api_calls_by_out_trade_no ON api_calls (app_id, out_trade_no, call_id) WHERE out_trade_no IS NOT NULL;
CREATE INDEX api_calls_by_trade_no ON api_calls (app_id, trade_no, call_id) WHERE trade_no IS NOT NULL;
CREATE INDEX api_calls_by_request ON api_calls (app_id, request_id, call_id);
