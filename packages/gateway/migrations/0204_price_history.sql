-- What one whole token cost, each quarter of an hour: what statements value receipts by. A new table, so nobody waits. It is
-- alike for every merchant, so it is shared behind the wall and has no policy.
CREATE TABLE price_history (
  currency_id integer NOT NULL,
  -- Unix seconds of the oldest price that it was made from.
  at          bigint  NOT NULL,
  -- In 10^-18 USD.
  price       numeric(100,0) NOT NULL CHECK (price > 0),
  PRIMARY KEY (currency_id, at)
);
