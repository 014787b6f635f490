-- What an operator removed again on the dashboard. The row stays until its name or number is added anew: at each start it
-- is looked at whether an order came between the removal and the start, and then it counts on.
ALTER TABLE added_chains ADD COLUMN removed_at_ms bigint;
ALTER TABLE added_tokens ADD COLUMN removed_at_ms bigint;
