-- A migration of its own, since reading all rows stops nobody so.

ALTER TABLE outgoing_transactions
  VALIDATE CONSTRAINT outgoing_transactions_action_check,
  VALIDATE CONSTRAINT outgoing_transactions_staker_check,
  VALIDATE CONSTRAINT outgoing_transactions_swept_check,
  VALIDATE CONSTRAINT outgoing_transactions_units_check;
ALTER TABLE collections
  VALIDATE CONSTRAINT collections_method_check,
  VALIDATE CONSTRAINT collections_sweep_check;
