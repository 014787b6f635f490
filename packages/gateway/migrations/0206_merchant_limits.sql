-- What an operator allows a merchant at the most, whatever the merchant sets for its apps. Values are 10^-6 USD; null is
-- without a limit. No defaults but null, so nothing is rewritten and nobody waits.
ALTER TABLE merchants
  -- Of one payout, and of those of 24 hours over all of its apps.
  ADD COLUMN payout_max_value     numeric(100,0) CHECK (payout_max_value >= 0),
  ADD COLUMN payout_max_day_value numeric(100,0) CHECK (payout_max_day_value >= 0),
  -- Orders that wait to be paid at once, over all of its apps.
  ADD COLUMN max_open_orders      integer        CHECK (max_open_orders >= 0);
