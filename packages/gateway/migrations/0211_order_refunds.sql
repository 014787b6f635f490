-- Payouts that send back what paid an order. An order may have several, of which some failed or were cancelled.
CREATE TABLE order_refunds (
  trade_no       text COLLATE "C" PRIMARY KEY REFERENCES payouts,
  order_trade_no text COLLATE "C" NOT NULL REFERENCES orders,
  refunded_by    text   NOT NULL,
  reason         text   NOT NULL,
  at_ms          bigint NOT NULL
);
CREATE INDEX order_refunds_by_order ON order_refunds (order_trade_no);
