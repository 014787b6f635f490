-- Whether a cancelled payout was declined by the second person who was asked. A constant default rewrites nothing.
ALTER TABLE payouts ADD COLUMN declined boolean NOT NULL DEFAULT false;
