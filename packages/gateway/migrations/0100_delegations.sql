-- On Tron energy of an operator's stake is delegated to deposit addresses and taken back. Checked from now on; no row can
-- have had one of the new words before.

ALTER TABLE outgoing_transactions
  ADD COLUMN action text NOT NULL DEFAULT 'transfer',
  -- Whose stake it is, canonical, and by which of its permissions; null where money moves.
  ADD COLUMN staker text,
  ADD COLUMN permission integer,
  ADD CONSTRAINT outgoing_transactions_action_check
    CHECK (action IN ('transfer', 'delegate', 'undelegate')) NOT VALID,
  ADD CONSTRAINT outgoing_transactions_staker_check
    CHECK ((action = 'transfer') = (staker IS NULL) AND (staker IS NULL) = (permission IS NULL)) NOT VALID;

ALTER TABLE collections
  -- What is delegated to the address for its transfer, in the native currency; null where nothing is.
  ADD COLUMN stake numeric(100,0),
  ADD COLUMN staker text,
  ADD COLUMN permission integer,
  -- How often it was asked to be taken back.
  ADD COLUMN returns integer NOT NULL DEFAULT 0,
  -- When it is looked at whether all of it is back; null from then on.
  ADD COLUMN return_at_ms bigint,
  -- Since when the chain reports that it is gone, although it was not taken back by us.
  ADD COLUMN missing_since_ms bigint,
  DROP CONSTRAINT collections_method_check,
  ADD CONSTRAINT collections_method_check
    CHECK (method IN ('native', 'plain', 'funded', 'delegated')) NOT VALID,
  DROP CONSTRAINT collections_state_check,
  ADD CONSTRAINT collections_state_check
    CHECK (state IN ('funding', 'delegating', 'moving', 'collected', 'failed', 'withdrawn')) NOT VALID,
  DROP CONSTRAINT collections_check,
  ADD CONSTRAINT collections_check
    CHECK ((state IN ('funding', 'delegating', 'moving')) = (ended_at_ms IS NULL)) NOT VALID,
  ADD CONSTRAINT collections_stake_check
    CHECK ((method = 'delegated') = (stake IS NOT NULL) AND (stake IS NULL) = (staker IS NULL)
      AND (stake IS NULL) = (permission IS NULL) AND (stake IS NOT NULL OR return_at_ms IS NULL)) NOT VALID;
