-- Statistics of the outbox: its pending events come and go in minutes, while the whole table may hold millions.
-- Counted by a share of the table, a pile of pending events would be over before the planner heard of it.
ALTER TABLE events SET (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 2000);
