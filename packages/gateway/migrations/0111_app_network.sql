-- From where an app's requests may come, and from which value on what lies at one of its addresses is moved.
-- Constant defaults, so nothing is rewritten and nobody waits.
ALTER TABLE apps
  -- Ranges such as 203.0.113.0/24; none means from anywhere.
  ADD COLUMN IF NOT EXISTS allowed_ranges text[] NOT NULL DEFAULT '{}',
  -- In 10^-6 USDT; null leaves it to the operator.
  ADD COLUMN IF NOT EXISTS min_operable_value numeric(30,0);
