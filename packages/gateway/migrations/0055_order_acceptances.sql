-- Who accepted a late order as paid, and why: once, for ever.

CREATE TABLE order_acceptances (
  trade_no    text COLLATE "C" PRIMARY KEY REFERENCES orders,
  accepted_by text   NOT NULL,
  reason      text   NOT NULL,
  at_ms       bigint NOT NULL
);
