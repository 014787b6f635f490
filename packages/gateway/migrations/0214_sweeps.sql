-- Many deposit addresses are emptied by one transaction of the gas wallet, through a sweeper that is made for it. Checked from
-- now on; no row can have had one of the new words before.

ALTER TABLE outgoing_transactions
  -- The addresses of a sweep with the nonces of their authorisations, as the signer is asked; null elsewhere.
  ADD COLUMN swept text,
  DROP CONSTRAINT outgoing_transactions_action_check,
  ADD CONSTRAINT outgoing_transactions_action_check
    CHECK (action IN ('transfer', 'delegate', 'undelegate', 'deploy', 'sweep')) NOT VALID,
  DROP CONSTRAINT outgoing_transactions_staker_check,
  ADD CONSTRAINT outgoing_transactions_staker_check
    CHECK ((action IN ('delegate', 'undelegate')) = (staker IS NOT NULL) AND (staker IS NULL) = (permission IS NULL))
    NOT VALID,
  ADD CONSTRAINT outgoing_transactions_swept_check CHECK ((action = 'sweep') = (swept IS NOT NULL)) NOT VALID,
  DROP CONSTRAINT outgoing_transactions_units_check,
  -- Making a sweeper moves nothing.
  ADD CONSTRAINT outgoing_transactions_units_check CHECK (units > 0 OR (action = 'deploy' AND units = 0)) NOT VALID;

ALTER TABLE collections
  -- The subject of the sweep that it is part of; null where the address is emptied by itself.
  ADD COLUMN sweep_id text COLLATE "C",
  DROP CONSTRAINT collections_method_check,
  ADD CONSTRAINT collections_method_check
    CHECK (method IN ('native', 'plain', 'funded', 'delegated', 'sponsored')) NOT VALID,
  ADD CONSTRAINT collections_sweep_check CHECK ((method = 'sponsored') = (sweep_id IS NOT NULL)) NOT VALID;
