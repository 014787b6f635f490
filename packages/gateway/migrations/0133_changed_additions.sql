-- What an addition was before a change on the dashboard, until a start has settled which of the two counts: the one before,
-- where something was taken in it meanwhile.
ALTER TABLE added_chains ADD COLUMN sealed_before bytea;
ALTER TABLE added_tokens ADD COLUMN sealed_before bytea;
