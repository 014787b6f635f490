-- Orders of entrust/pre-create: what their payer may choose from, what was chosen when, and how an app's page looks.
-- New tables alone, so nobody waits.
CREATE TABLE hosted_orders (
  trade_no text COLLATE "C" PRIMARY KEY,
  subject text,
  -- Null: every currency that is on for the app.
  currency_ids integer[],
  -- Whether the payer, or the merchant for them, has decided; until then the order is in the currency it began with.
  is_chosen boolean NOT NULL
);

-- Each choice of a payer as it was priced; never changed.
CREATE TABLE currency_choices (
  trade_no text COLLATE "C" NOT NULL,
  number integer NOT NULL,
  at_ms bigint NOT NULL,
  currency_id integer NOT NULL,
  address_id bigint NOT NULL REFERENCES addresses (address_id),
  due numeric(100,0) NOT NULL CHECK (due > 0),
  quote jsonb,
  PRIMARY KEY (trade_no, number)
);

CREATE TABLE checkout_pages (
  app_id text PRIMARY KEY REFERENCES apps (app_id),
  -- "#rrggbb"
  accent text CHECK (accent ~ '^#[0-9a-f]{6}$'),
  -- Where a payer can ask: an e-mail address or a web address.
  contact text,
  -- Origins that may show the page in a frame.
  frame_origins text[] NOT NULL DEFAULT '{}'
);
