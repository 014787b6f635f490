-- What sweeps cost belongs to what the gas wallet spends.
CREATE INDEX IF NOT EXISTS outgoing_sweeps ON outgoing_transactions (chain, created_at_ms) WHERE action = 'sweep';
CREATE INDEX IF NOT EXISTS outgoing_deployments ON outgoing_transactions (chain, to_address) WHERE action = 'deploy';
