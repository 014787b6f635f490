-- Single items that broke a check or an assertion when they were worked on, so that everything beside them goes on.

CREATE TABLE quarantines (
  kind     text           NOT NULL CHECK (kind IN ('payout', 'outgoing')),
  id       text COLLATE "C" NOT NULL,
  reason   text           NOT NULL,
  since_ms bigint         NOT NULL,
  -- When it is tried again.
  until_ms bigint         NOT NULL,
  PRIMARY KEY (kind, id)
);
