-- Generated from the migrations by `npm run schema`. Compared by a test, never applied.

sequence app_accounts from 0 to 2147483647

account_keys
  app_id text not null
  family text not null
  account_public_key text not null
  FOREIGN KEY (app_id) REFERENCES apps(app_id)
  PRIMARY KEY (app_id, family)

accounts
  account_id bigint not null identity
  kind text not null
  owner text not null
  currency_id integer not null
  balance numeric(100,0) not null default 0
  CHECK ((kind = ANY (ARRAY['custody'::text, 'cold'::text, 'suspense'::text, 'sent'::text, 'network-fee'::text, 'available'::text, 'frozen'::text, 'unassigned'::text, 'receivable'::text, 'fee'::text, 'network-charge'::text])))
  CHECK (
CASE
    WHEN (kind = ANY (ARRAY['custody'::text, 'cold'::text])) THEN true
    WHEN (kind = ANY (ARRAY['suspense'::text, 'sent'::text, 'network-fee'::text, 'receivable'::text])) THEN (balance <= (0)::numeric)
    ELSE (balance >= (0)::numeric)
END)
  PRIMARY KEY (account_id)
  UNIQUE (account_id, currency_id)
  UNIQUE (kind, owner, currency_id)

added_chains
  chain text collate "C" not null
  chain_id bigint not null
  sealed bytea not null
  added_by text collate "C" not null
  added_at_ms bigint not null
  removed_at_ms bigint
  sealed_before bytea
  FOREIGN KEY (added_by) REFERENCES people(person_id)
  PRIMARY KEY (chain)
  UNIQUE (chain_id)

added_tokens
  currency_id integer not null
  chain text collate "C" not null
  sealed bytea not null
  added_by text collate "C" not null
  added_at_ms bigint not null
  removed_at_ms bigint
  sealed_before bytea
  FOREIGN KEY (added_by) REFERENCES people(person_id)
  PRIMARY KEY (currency_id)

addresses
  address_id bigint not null identity
  app_id text
  family text not null
  derivation_index integer not null
  address text not null
  trade_no text collate "C"
  retired boolean not null default false
  purpose text not null default 'order'::text
  CHECK ((derivation_index >= 0))
  CHECK (((purpose = 'order'::text) OR (trade_no IS NULL)))
  CHECK (((purpose = 'wallet'::text) OR (app_id IS NOT NULL)))
  CHECK ((purpose = ANY (ARRAY['order'::text, 'static'::text, 'wallet'::text])))
  FOREIGN KEY (app_id) REFERENCES apps(app_id)
  FOREIGN KEY (trade_no) REFERENCES orders(trade_no) DEFERRABLE INITIALLY DEFERRED
  PRIMARY KEY (address_id)
  UNIQUE (family, address)
  CREATE INDEX addresses_by_family ON public.addresses USING btree (family, address_id)
  CREATE UNIQUE INDEX addresses_by_index ON public.addresses USING btree (app_id, family, derivation_index) WHERE (purpose <> 'wallet'::text)
  CREATE INDEX addresses_free ON public.addresses USING btree (app_id, family, address_id) WHERE ((purpose = 'order'::text) AND (trade_no IS NULL) AND (NOT retired))
  CREATE INDEX addresses_static ON public.addresses USING btree (family, address_id) WHERE (purpose = 'static'::text)
  CREATE UNIQUE INDEX addresses_wallets ON public.addresses USING btree (app_id, family, derivation_index) NULLS NOT DISTINCT WHERE (purpose = 'wallet'::text)

api_calls
  call_id text collate "C" not null
  app_id text not null
  at_ms bigint not null
  operation text not null
  path text not null
  http_status integer not null
  code integer not null
  message text not null
  duration_ms integer not null
  address text not null
  request_id text not null
  body_bytes integer not null
  is_proven boolean not null
  out_trade_no text
  trade_no text
  calls integer not null
  sent_timestamp text
  sent_signature text
  signature_fits boolean
  sent_body text
  sent_body_is text
  CHECK ((sent_body_is = ANY (ARRAY['whole'::text, 'cut'::text, 'changed'::text])))
  PRIMARY KEY (call_id)
  CREATE INDEX api_calls_by_app ON public.api_calls USING btree (app_id, call_id)
  CREATE INDEX api_calls_by_out_trade_no ON public.api_calls USING btree (app_id, out_trade_no, call_id) WHERE (out_trade_no IS NOT NULL)
  CREATE INDEX api_calls_by_request ON public.api_calls USING btree (app_id, request_id, call_id)
  CREATE INDEX api_calls_by_trade_no ON public.api_calls USING btree (app_id, trade_no, call_id) WHERE (trade_no IS NOT NULL)
  CREATE INDEX api_calls_refused ON public.api_calls USING btree (app_id, call_id) WHERE (code <> 0)

app_currencies_off
  app_id text not null
  currency_id integer not null
  FOREIGN KEY (app_id) REFERENCES apps(app_id)
  PRIMARY KEY (app_id, currency_id)

apps
  app_id text not null
  merchant_id text not null
  name text not null
  kind text not null
  enabled boolean not null default true
  account integer not null
  callback_url text
  tolerance_ppm integer not null default 0
  sealed_key bytea not null
  previous_sealed_key bytea
  previous_key_until_ms bigint
  created_at_ms bigint not null
  allowed_ranges text[] not null default '{}'::text[]
  min_operable_value numeric(30,0)
  CHECK ((kind = ANY (ARRAY['PAYMENT'::text, 'QR_CODE'::text])))
  CHECK (((tolerance_ppm >= 0) AND (tolerance_ppm <= 999999)))
  FOREIGN KEY (merchant_id) REFERENCES merchants(merchant_id)
  PRIMARY KEY (app_id)
  UNIQUE (account)
  CREATE INDEX apps_by_merchant ON public.apps USING btree (merchant_id, created_at_ms, app_id)

archived_delivery_attempts
  event_id text collate "C" not null
  attempt integer not null
  started_at_ms bigint not null
  duration_ms integer
  http_status integer
  outcome text not null
  PRIMARY KEY (event_id, attempt)

archived_events
  event_id text collate "C" not null
  sequence bigint not null
  app_id text not null
  trade_no text collate "C" not null
  type text not null
  status text not null
  final boolean not null
  body text not null
  url text
  receiver text
  state text not null
  attempts integer not null
  schedule_start integer not null
  created_at_ms bigint not null
  CHECK ((state = ANY (ARRAY['delivered'::text, 'dead'::text, 'unsent'::text])))
  PRIMARY KEY (event_id)
  CREATE INDEX archived_events_by_app ON public.archived_events USING btree (app_id, event_id)
  CREATE INDEX archived_events_by_subject ON public.archived_events USING btree (trade_no, sequence)
  CREATE INDEX archived_events_dead ON public.archived_events USING btree (app_id, event_id) WHERE (state = 'dead'::text)

archived_quote_evidence
  trade_no text collate "C" not null
  evidence jsonb not null
  PRIMARY KEY (trade_no)

audit_findings
  finding text not null
  found_at_ms bigint not null
  PRIMARY KEY (finding)

audit_log
  sequence bigint not null
  at_ms bigint not null
  person_id text collate "C"
  operation text not null
  merchant_id text
  subject text not null
  detail text not null
  address text not null
  hash bytea not null
  FOREIGN KEY (person_id) REFERENCES people(person_id)
  PRIMARY KEY (sequence)
  CREATE INDEX audit_log_by_merchant ON public.audit_log USING btree (merchant_id, sequence) WHERE (merchant_id IS NOT NULL)
  CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_log FOR EACH STATEMENT EXECUTE FUNCTION append_only()

audit_log_head
  single boolean not null default true
  sequence bigint not null
  hash bytea not null
  CHECK (single)
  PRIMARY KEY (single)

audit_marks
  name text not null
  position bigint not null
  ahead bigint not null
  ahead_xid xid8 not null
  at_ms bigint not null
  PRIMARY KEY (name)

audited_balances
  account_id bigint not null
  units numeric(100,0) not null
  FOREIGN KEY (account_id) REFERENCES accounts(account_id)
  PRIMARY KEY (account_id)

backup_marks
  mark_id bigint not null identity
  kind text not null
  at_ms bigint not null
  bytes bigint
  marked_by text not null
  note text not null
  CHECK ((bytes >= 0))
  CHECK ((kind = ANY (ARRAY['base'::text, 'dump'::text, 'restore'::text])))
  PRIMARY KEY (mark_id)
  CREATE INDEX backup_marks_by_age ON public.backup_marks USING btree (at_ms)

balance_differences
  chain text not null
  currency_id integer not null
  address_id bigint not null
  expected numeric(100,0) not null
  actual numeric(100,0) not null
  at_block bigint not null
  since_ms bigint not null
  raised boolean not null default false
  CHECK ((expected <> actual))
  FOREIGN KEY (address_id) REFERENCES addresses(address_id)
  PRIMARY KEY (chain, currency_id, address_id)

blocks
  chain text not null
  number bigint not null
  hash text not null
  parent_hash text not null
  time bigint not null
  proven boolean not null default false
  PRIMARY KEY (chain, number)

chain_cursors
  chain text not null
  start_number bigint
  head_number bigint
  head_hash text
  head_time bigint
  final_number bigint
  final_time bigint
  halted_reason text
  updated_at_ms bigint not null
  searched_number bigint
  searched_time bigint
  currency_ids integer[]
  PRIMARY KEY (chain)

checkout_pages
  app_id text not null
  accent text
  contact text
  frame_origins text[] not null default '{}'::text[]
  logo bytea
  logo_digest text collate "C" default encode(sha256(logo), 'hex'::text)
  is_test boolean not null default false
  CHECK ((accent ~ '^#[0-9a-f]{6}$'::text))
  CHECK (((octet_length(logo) >= 1) AND (octet_length(logo) <= 65536)))
  FOREIGN KEY (app_id) REFERENCES apps(app_id)
  PRIMARY KEY (app_id)

cold_addresses
  chain text not null
  address text not null
  PRIMARY KEY (chain, address)

cold_endings
  cold_transfer_id text collate "C" not null
  chain text not null
  tx_id text not null
  position text not null
  ended_by text not null
  reason text not null
  at_ms bigint not null
  FOREIGN KEY (cold_transfer_id) REFERENCES cold_transfers(cold_transfer_id)
  PRIMARY KEY (cold_transfer_id)
  UNIQUE (chain, tx_id, "position")

cold_transfers
  cold_transfer_id text collate "C" not null
  asked_by text not null
  reason text not null
  at_ms bigint not null
  PRIMARY KEY (cold_transfer_id)

collections
  collection_id text collate "C" not null
  chain text not null
  address_id bigint not null
  currency_id integer not null
  wallet_id bigint not null
  units numeric(100,0) not null
  method text not null
  gas numeric(100,0) not null
  cost numeric(100,0) not null
  state text not null
  reason text
  started_at_ms bigint not null
  ended_at_ms bigint
  stake numeric(100,0)
  staker text
  permission integer
  returns integer not null default 0
  return_at_ms bigint
  missing_since_ms bigint
  sweep_id text collate "C"
  CHECK (((state = ANY (ARRAY['funding'::text, 'delegating'::text, 'moving'::text])) = (ended_at_ms IS NULL)))
  CHECK ((cost >= (0)::numeric))
  CHECK ((gas > (0)::numeric))
  CHECK ((method = ANY (ARRAY['native'::text, 'plain'::text, 'funded'::text, 'delegated'::text, 'sponsored'::text])))
  CHECK ((((method = 'delegated'::text) = (stake IS NOT NULL)) AND ((stake IS NULL) = (staker IS NULL)) AND ((stake IS NULL) = (permission IS NULL)) AND ((stake IS NOT NULL) OR (return_at_ms IS NULL))))
  CHECK ((state = ANY (ARRAY['funding'::text, 'delegating'::text, 'moving'::text, 'collected'::text, 'failed'::text, 'withdrawn'::text])))
  CHECK (((method = 'sponsored'::text) = (sweep_id IS NOT NULL)))
  CHECK ((units > (0)::numeric))
  FOREIGN KEY (address_id) REFERENCES addresses(address_id)
  FOREIGN KEY (wallet_id) REFERENCES addresses(address_id)
  PRIMARY KEY (collection_id)
  CREATE INDEX collections_by_address ON public.collections USING btree (address_id, started_at_ms)
  CREATE UNIQUE INDEX collections_held ON public.collections USING btree (chain, address_id) WHERE ((ended_at_ms IS NULL) OR (return_at_ms IS NOT NULL))
  CREATE INDEX collections_of_sweep ON public.collections USING btree (sweep_id) WHERE (sweep_id IS NOT NULL)
  CREATE UNIQUE INDEX collections_open ON public.collections USING btree (chain, address_id) WHERE (ended_at_ms IS NULL)
  CREATE INDEX collections_returning ON public.collections USING btree (chain, return_at_ms) WHERE (return_at_ms IS NOT NULL)
  CREATE INDEX collections_started ON public.collections USING btree (chain, started_at_ms)

credentials
  person_id text collate "C" not null
  password_hash text not null
  totp_secret bytea
  totp_pending bytea
  totp_last_step bigint not null default '-1'::integer
  totp_failures integer not null default 0
  totp_locked_until_ms bigint not null default 0
  FOREIGN KEY (person_id) REFERENCES people(person_id)
  PRIMARY KEY (person_id)

currencies
  currency_id integer not null
  chain text not null
  symbol text not null
  contract text not null
  decimals integer not null
  PRIMARY KEY (currency_id)

currency_choices
  trade_no text collate "C" not null
  number integer not null
  at_ms bigint not null
  currency_id integer not null
  address_id bigint not null
  due numeric(100,0) not null
  quote jsonb
  CHECK ((due > (0)::numeric))
  FOREIGN KEY (address_id) REFERENCES addresses(address_id)
  PRIMARY KEY (trade_no, number)
  CREATE INDEX choices_of_coin ON public.currency_choices USING btree (address_id) WHERE ((currency_id % 1000) = 0)

currency_suspensions
  currency_id integer not null
  reason text not null
  since_ms bigint not null
  PRIMARY KEY (currency_id)

dashboard_requests
  person_id text not null
  request_id text not null
  operation text not null
  content text not null
  subject text not null
  made_at_ms bigint not null
  FOREIGN KEY (person_id) REFERENCES people(person_id)
  PRIMARY KEY (person_id, request_id)

dashboard_sessions
  session_id text collate "C" not null
  token_hash bytea not null
  person_id text collate "C" not null
  stage text not null
  created_at_ms bigint not null
  seen_at_ms bigint not null
  expires_at_ms bigint not null
  step_up_until_ms bigint not null default 0
  address text not null
  user_agent text not null
  CHECK ((stage = ANY (ARRAY['code-needed'::text, 'enrolment-needed'::text, 'signed-in'::text])))
  FOREIGN KEY (person_id) REFERENCES people(person_id)
  PRIMARY KEY (session_id)
  UNIQUE (token_hash)
  CREATE INDEX dashboard_sessions_by_end ON public.dashboard_sessions USING btree (expires_at_ms)
  CREATE INDEX dashboard_sessions_by_person ON public.dashboard_sessions USING btree (person_id)

delivery_attempts
  event_id text collate "C" not null
  attempt integer not null
  started_at_ms bigint not null
  duration_ms integer
  http_status integer
  outcome text not null
  FOREIGN KEY (event_id) REFERENCES events(event_id)
  PRIMARY KEY (event_id, attempt)

entries
  entry_id bigint not null identity
  fact text not null
  reference text not null
  at_ms bigint not null
  CHECK ((fact = ANY (ARRAY['deposit'::text, 'unassigned-receipt'::text, 'assignment'::text, 'outflow'::text, 'sent'::text, 'network-fee'::text, 'move'::text, 'reservation'::text, 'payout'::text, 'release'::text, 'adoption'::text, 'sent-unread'::text, 'cold-transfer'::text, 'reversal'::text, 'reinstatement'::text, 'repayment'::text])))
  PRIMARY KEY (entry_id)
  UNIQUE (fact, reference)
  CREATE UNIQUE INDEX entries_one_end_per_payout ON public.entries USING btree (reference) WHERE (fact = ANY (ARRAY['payout'::text, 'release'::text]))
  CREATE UNIQUE INDEX entries_one_per_transfer ON public.entries USING btree (reference) WHERE (fact = ANY (ARRAY['deposit'::text, 'unassigned-receipt'::text]))
  CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.entries FOR EACH STATEMENT EXECUTE FUNCTION append_only()

events
  event_id text collate "C" not null
  sequence bigint not null identity
  app_id text not null
  trade_no text collate "C" not null
  type text not null
  status text not null
  final boolean not null
  body text not null
  url text
  receiver text
  state text not null
  attempts integer not null default 0
  schedule_start integer not null default 0
  next_attempt_at_ms bigint
  leased_until_ms bigint
  created_at_ms bigint not null
  CHECK (((state = 'pending'::text) = (next_attempt_at_ms IS NOT NULL)))
  CHECK (((url IS NULL) = (state = 'unsent'::text)))
  CHECK (((url IS NULL) = (receiver IS NULL)))
  CHECK (((schedule_start >= 0) AND (schedule_start <= attempts)))
  CHECK ((state = ANY (ARRAY['pending'::text, 'delivered'::text, 'dead'::text, 'unsent'::text])))
  CHECK ((type = ANY (ARRAY['PAYMENT'::text, 'TRANSFER'::text, 'QR_PAYMENT'::text])))
  FOREIGN KEY (app_id) REFERENCES apps(app_id)
  PRIMARY KEY (event_id)
  CREATE INDEX events_by_app ON public.events USING btree (app_id, event_id)
  CREATE INDEX events_by_order ON public.events USING btree (trade_no, sequence)
  CREATE INDEX events_dead ON public.events USING btree (app_id, event_id) WHERE (state = 'dead'::text)
  CREATE INDEX events_due ON public.events USING btree (app_id, receiver, next_attempt_at_ms, sequence) WHERE (state = 'pending'::text)

final_events
  trade_no text collate "C" not null
  status text not null
  event_id text collate "C" not null
  PRIMARY KEY (trade_no, status)

holdings
  chain text not null
  address_id bigint not null
  currency_id integer not null
  app_id text not null
  state text not null default 'waiting'::text
  units numeric(100,0) not null default 0
  since_ms bigint not null
  next_at_ms bigint
  looked_at_ms bigint not null default 0
  reason text
  arrivals bigint not null default 1
  failures integer not null default 0
  CHECK (((state <> 'collecting'::text) OR (next_at_ms IS NULL)))
  CHECK (((state = ANY (ARRAY['collecting'::text, 'frozen'::text])) OR (next_at_ms IS NOT NULL)))
  CHECK (((state <> 'frozen'::text) OR (reason IS NOT NULL)))
  CHECK ((state = ANY (ARRAY['waiting'::text, 'small'::text, 'frozen'::text, 'collecting'::text])))
  CHECK ((units >= (0)::numeric))
  FOREIGN KEY (address_id) REFERENCES addresses(address_id)
  FOREIGN KEY (app_id) REFERENCES apps(app_id)
  PRIMARY KEY (chain, address_id, currency_id)
  CREATE INDEX holdings_by_app ON public.holdings USING btree (app_id, currency_id)
  CREATE INDEX holdings_due ON public.holdings USING btree (chain, next_at_ms) WHERE (next_at_ms IS NOT NULL)

hosted_orders
  trade_no text collate "C" not null
  subject text
  currency_ids integer[]
  is_chosen boolean not null
  PRIMARY KEY (trade_no)

incidents
  incident_id bigint not null identity
  kind text not null
  subject text not null
  detail text not null
  first_at_ms bigint not null
  last_at_ms bigint not null
  is_open boolean not null
  PRIMARY KEY (incident_id)
  CREATE UNIQUE INDEX incidents_open ON public.incidents USING btree (kind, subject) WHERE is_open
  CREATE INDEX incidents_past ON public.incidents USING btree (last_at_ms, incident_id) WHERE (NOT is_open)

inclusions
  chain text not null
  tx_id text not null
  block_number bigint not null
  block_hash text not null
  block_time bigint not null
  status text not null
  address_id bigint not null
  currency_id integer not null
  fee numeric(100,0) not null
  final boolean not null default false
  CHECK ((fee >= (0)::numeric))
  CHECK ((status = ANY (ARRAY['succeeded'::text, 'failed'::text])))
  FOREIGN KEY (address_id) REFERENCES addresses(address_id)
  PRIMARY KEY (chain, tx_id)
  CREATE INDEX inclusions_by_address ON public.inclusions USING btree (address_id)
  CREATE INDEX inclusions_by_block ON public.inclusions USING btree (chain, block_number)
  CREATE INDEX inclusions_seen ON public.inclusions USING btree (chain, block_number) WHERE (NOT final)

invitations
  invitation_id text collate "C" not null
  token_hash bytea not null
  email text not null
  merchant_id text
  role text
  invited_by text collate "C"
  created_at_ms bigint not null
  expires_at_ms bigint not null
  CHECK (((merchant_id IS NULL) = (role IS NULL)))
  CHECK ((email = lower(email)))
  CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'developer'::text, 'finance'::text, 'viewer'::text])))
  FOREIGN KEY (invited_by) REFERENCES people(person_id)
  FOREIGN KEY (merchant_id) REFERENCES merchants(merchant_id)
  PRIMARY KEY (invitation_id)
  UNIQUE (token_hash)
  CREATE INDEX invitations_by_merchant ON public.invitations USING btree (merchant_id) WHERE (merchant_id IS NOT NULL)

known_devices
  person_id text collate "C" not null
  device_hash bytea not null
  seen_at_ms bigint not null
  FOREIGN KEY (person_id) REFERENCES people(person_id)
  PRIMARY KEY (person_id, device_hash)

leases
  name text not null
  token bigint not null
  holder text
  renewals bigint not null
  taken_at_ms bigint not null
  CHECK ((renewals >= 0))
  CHECK ((token > 0))
  PRIMARY KEY (name)

mails
  mail_id text collate "C" not null
  recipient text not null
  kind text not null
  merchant_id text
  sealed bytea
  created_at_ms bigint not null
  expires_at_ms bigint not null
  attempts integer not null default 0
  due_at_ms bigint
  outcome text
  CHECK (((due_at_ms IS NULL) = (outcome IS NOT NULL)))
  CHECK (((due_at_ms IS NULL) = (sealed IS NULL)))
  CHECK ((outcome = ANY (ARRAY['sent'::text, 'refused'::text, 'expired'::text])))
  FOREIGN KEY (merchant_id) REFERENCES merchants(merchant_id)
  PRIMARY KEY (mail_id)
  CREATE INDEX mails_by_age ON public.mails USING btree (created_at_ms)
  CREATE INDEX mails_by_merchant ON public.mails USING btree (merchant_id, created_at_ms) WHERE (merchant_id IS NOT NULL)
  CREATE INDEX mails_by_recipient ON public.mails USING btree (recipient, kind, created_at_ms)
  CREATE INDEX mails_due ON public.mails USING btree (due_at_ms) WHERE (due_at_ms IS NOT NULL)

memberships
  merchant_id text not null
  person_id text collate "C" not null
  role text not null
  since_ms bigint not null
  CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'developer'::text, 'finance'::text, 'viewer'::text])))
  FOREIGN KEY (merchant_id) REFERENCES merchants(merchant_id)
  FOREIGN KEY (person_id) REFERENCES people(person_id)
  PRIMARY KEY (merchant_id, person_id)
  CREATE INDEX memberships_by_person ON public.memberships USING btree (person_id)

merchants
  merchant_id text not null
  name text not null
  deposit_fee_ppm integer not null
  created_at_ms bigint not null
  payout_fee_ppm integer not null default 300
  suspended boolean not null default false
  payout_max_value numeric(100,0)
  payout_max_day_value numeric(100,0)
  max_open_orders integer
  from_sign_up boolean not null default false
  CHECK (((deposit_fee_ppm >= 0) AND (deposit_fee_ppm <= 999999)))
  CHECK ((max_open_orders >= 0))
  CHECK (((payout_fee_ppm >= 0) AND (payout_fee_ppm <= 999999)))
  CHECK ((payout_max_day_value >= (0)::numeric))
  CHECK ((payout_max_value >= (0)::numeric))
  PRIMARY KEY (merchant_id)

order_acceptances
  trade_no text collate "C" not null
  accepted_by text not null
  reason text not null
  at_ms bigint not null
  FOREIGN KEY (trade_no) REFERENCES orders(trade_no)
  PRIMARY KEY (trade_no)

order_keys
  app_id text not null
  out_trade_no text not null
  trade_no text collate "C" not null
  PRIMARY KEY (app_id, out_trade_no)

order_refunds
  trade_no text collate "C" not null
  order_trade_no text collate "C" not null
  refunded_by text not null
  reason text not null
  at_ms bigint not null
  FOREIGN KEY (order_trade_no) REFERENCES orders(trade_no)
  FOREIGN KEY (trade_no) REFERENCES payouts(trade_no)
  PRIMARY KEY (trade_no)
  CREATE INDEX order_refunds_by_order ON public.order_refunds USING btree (order_trade_no)

orders
  trade_no text collate "C" not null
  app_id text not null
  out_trade_no text not null
  input_hash text not null
  mode text not null
  chain text not null
  currency_id integer not null
  address_id bigint not null
  address text not null
  due numeric(100,0) not null
  collected numeric(100,0) not null
  tolerance_ppm integer not null
  last_tx_id text not null default ''::text
  status text not null
  fiat_name text
  fiat_amount text
  quote jsonb
  callback_url text
  redirect_url text
  create_time bigint not null
  time_expire bigint not null
  CHECK ((collected >= (0)::numeric))
  CHECK ((due > (0)::numeric))
  CHECK ((mode = ANY (ARRAY['NATIVE'::text, 'HOSTED'::text])))
  CHECK ((status = ANY (ARRAY['TO-BE-PAID'::text, 'PAID'::text, 'TIME-OUT'::text])))
  FOREIGN KEY (address_id) REFERENCES addresses(address_id)
  FOREIGN KEY (app_id) REFERENCES apps(app_id)
  PRIMARY KEY (trade_no)
  CREATE INDEX orders_by_app ON public.orders USING btree (app_id, trade_no)
  CREATE UNIQUE INDEX orders_live_address ON public.orders USING btree (address) WHERE (status = 'TO-BE-PAID'::text)
  CREATE INDEX orders_native ON public.orders USING btree (chain, time_expire) WHERE ((currency_id % 1000) = 0)
  CREATE INDEX orders_of_coin ON public.orders USING btree (address_id) WHERE ((currency_id % 1000) = 0)
  CREATE INDEX orders_open ON public.orders USING btree (app_id, trade_no) WHERE (status = 'TO-BE-PAID'::text)
  CREATE INDEX orders_timed_out_with_money ON public.orders USING btree (app_id, trade_no) WHERE ((status = 'TIME-OUT'::text) AND (collected > (0)::numeric))
  CREATE INDEX orders_to_expire ON public.orders USING btree (chain, time_expire) WHERE (status = 'TO-BE-PAID'::text)

outgoing_transactions
  outgoing_id text collate "C" not null
  sender_id bigint not null
  chain text not null
  subject_kind text not null
  subject_id text not null
  subject text not null
  currency_id integer not null
  to_address text not null
  units numeric(100,0) not null
  fee_cap numeric(100,0) not null
  state text not null
  nonce bigint
  trouble text
  trouble_since_ms bigint
  failures integer not null default 0
  next_at_ms bigint
  created_at_ms bigint not null
  ended_at_ms bigint
  tx_id text
  may_be_unread boolean not null default false
  action text not null default 'transfer'::text
  staker text
  permission integer
  swept text
  CHECK ((action = ANY (ARRAY['transfer'::text, 'delegate'::text, 'undelegate'::text, 'deploy'::text, 'sweep'::text])))
  CHECK (((trouble IS NULL) = (trouble_since_ms IS NULL)))
  CHECK (((state = ANY (ARRAY['waiting'::text, 'prepared'::text, 'signed'::text])) = (next_at_ms IS NOT NULL)))
  CHECK (((state = ANY (ARRAY['waiting'::text, 'prepared'::text, 'signed'::text])) = (ended_at_ms IS NULL)))
  CHECK (((state = ANY (ARRAY['succeeded'::text, 'failed'::text, 'mismatched'::text])) = (tx_id IS NOT NULL)))
  CHECK (((state <> ALL (ARRAY['waiting'::text, 'cancelled'::text])) OR (nonce IS NULL)))
  CHECK ((fee_cap > (0)::numeric))
  CHECK ((((action = ANY (ARRAY['delegate'::text, 'undelegate'::text])) = (staker IS NOT NULL)) AND ((staker IS NULL) = (permission IS NULL))))
  CHECK ((state = ANY (ARRAY['waiting'::text, 'prepared'::text, 'signed'::text, 'succeeded'::text, 'failed'::text, 'mismatched'::text, 'cancelled'::text])))
  CHECK ((subject_kind = ANY (ARRAY['payout'::text, 'collection'::text, 'funding'::text, 'cold'::text])))
  CHECK (((action = 'sweep'::text) = (swept IS NOT NULL)))
  CHECK (((units > (0)::numeric) OR ((action = 'deploy'::text) AND (units = (0)::numeric))))
  FOREIGN KEY (sender_id) REFERENCES senders(sender_id)
  PRIMARY KEY (outgoing_id)
  UNIQUE (sender_id, nonce)
  UNIQUE (subject_kind, subject_id)
  CREATE INDEX outgoing_begun ON public.outgoing_transactions USING btree (chain, next_at_ms) WHERE ((next_at_ms IS NOT NULL) AND (state <> 'waiting'::text))
  CREATE INDEX outgoing_deployments ON public.outgoing_transactions USING btree (chain, to_address) WHERE (action = 'deploy'::text)
  CREATE INDEX outgoing_due ON public.outgoing_transactions USING btree (chain, next_at_ms) WHERE (next_at_ms IS NOT NULL)
  CREATE INDEX outgoing_fundings ON public.outgoing_transactions USING btree (chain, created_at_ms) WHERE (subject_kind = 'funding'::text)
  CREATE INDEX outgoing_mismatched ON public.outgoing_transactions USING btree (chain) WHERE (state = 'mismatched'::text)
  CREATE INDEX outgoing_open ON public.outgoing_transactions USING btree (sender_id, nonce) WHERE (next_at_ms IS NOT NULL)
  CREATE INDEX outgoing_returning ON public.outgoing_transactions USING btree (chain, to_address) WHERE ((action = 'undelegate'::text) AND (next_at_ms IS NOT NULL))
  CREATE INDEX outgoing_sweeps ON public.outgoing_transactions USING btree (chain, created_at_ms) WHERE (action = 'sweep'::text)
  CREATE INDEX outgoing_waiting ON public.outgoing_transactions USING btree (chain, sender_id, next_at_ms) WHERE (state = 'waiting'::text)

outgoing_variants
  outgoing_id text collate "C" not null
  ordinal integer not null
  chain text not null
  intent text not null
  expires_at_ms bigint
  reference bigint
  prepared_at_ms bigint not null
  tx_id text
  bytes text
  signed_at_ms bigint
  log_sequence bigint
  sends integer not null default 0
  last_sent_ms bigint
  last_answer text
  CHECK (((tx_id IS NULL) = (bytes IS NULL)))
  CHECK (((tx_id IS NULL) = (signed_at_ms IS NULL)))
  CHECK (((tx_id IS NULL) = (log_sequence IS NULL)))
  CHECK (((sends = 0) OR (bytes IS NOT NULL)))
  CHECK ((ordinal > 0))
  FOREIGN KEY (outgoing_id) REFERENCES outgoing_transactions(outgoing_id)
  PRIMARY KEY (outgoing_id, ordinal)
  UNIQUE (chain, tx_id)
  CREATE INDEX outgoing_variants_by_log ON public.outgoing_variants USING btree (log_sequence) WHERE (log_sequence IS NOT NULL)

partitioning
  table_name text not null
  next_block bigint not null
  blocks bigint not null
  PRIMARY KEY (table_name)

passkey_challenges
  session_id text collate "C" not null
  challenge text not null
  purpose text not null
  expires_at_ms bigint not null
  CHECK ((purpose = ANY (ARRAY['add'::text, 'show'::text])))
  FOREIGN KEY (session_id) REFERENCES dashboard_sessions(session_id) ON DELETE CASCADE
  PRIMARY KEY (session_id)

passkeys
  passkey_id text collate "C" not null
  person_id text collate "C" not null
  public_key bytea not null
  counter bigint not null
  transports text[] not null
  name text not null
  created_at_ms bigint not null
  used_at_ms bigint
  FOREIGN KEY (person_id) REFERENCES people(person_id)
  PRIMARY KEY (passkey_id)
  CREATE INDEX passkeys_by_person ON public.passkeys USING btree (person_id)

password_links
  email text not null
  token_hash bytea not null
  expires_at_ms bigint not null
  CHECK ((email = lower(email)))
  PRIMARY KEY (email)
  UNIQUE (token_hash)
  CREATE INDEX password_links_by_end ON public.password_links USING btree (expires_at_ms)

payout_addresses
  app_id text not null
  family text not null
  address text not null
  label text not null
  added_by text not null
  added_at_ms bigint not null
  FOREIGN KEY (app_id) REFERENCES apps(app_id)
  PRIMARY KEY (app_id, family, address)

payout_approvals
  trade_no text collate "C" not null
  approver text not null
  fee_cap numeric(100,0) not null
  expiry bigint not null
  signature text not null
  approved_at_ms bigint not null
  CHECK ((fee_cap > (0)::numeric))
  FOREIGN KEY (trade_no) REFERENCES payouts(trade_no)
  PRIMARY KEY (trade_no, approver)

payout_askers
  trade_no text collate "C" not null
  person_id text collate "C" not null
  FOREIGN KEY (trade_no) REFERENCES payouts(trade_no)
  PRIMARY KEY (trade_no)

payout_endings
  trade_no text collate "C" not null
  chain text
  tx_id text
  position text
  ended_by text not null
  reason text not null
  at_ms bigint not null
  approved_by text
  CHECK ((((chain IS NULL) = (tx_id IS NULL)) AND ((chain IS NULL) = ("position" IS NULL))))
  FOREIGN KEY (trade_no) REFERENCES payouts(trade_no)
  PRIMARY KEY (trade_no)
  UNIQUE (chain, tx_id, "position")

payout_settings
  app_id text not null
  fee_mode text not null default 'on-top'::text
  max_value numeric(100,0) default '10000000000'::bigint
  max_day_value numeric(100,0) default '50000000000'::bigint
  approval_above numeric(100,0)
  address_list boolean not null default false
  cooling_s integer not null default 86400
  otp_secret bytea
  otp_last_step bigint not null default '-1'::integer
  otp_failures integer not null default 0
  otp_locked_until_ms bigint not null default 0
  CHECK ((approval_above >= (0)::numeric))
  CHECK ((cooling_s >= 0))
  CHECK ((fee_mode = ANY (ARRAY['on-top'::text, 'deducted'::text])))
  CHECK ((max_day_value >= (0)::numeric))
  CHECK ((max_value >= (0)::numeric))
  FOREIGN KEY (app_id) REFERENCES apps(app_id)
  PRIMARY KEY (app_id)

payouts
  trade_no text collate "C" not null
  app_id text not null
  idempotency_key text not null
  signature text not null
  input_hash text not null
  chain text not null
  currency_id integer not null
  to_address text not null
  amount numeric(100,0) not null
  service_charge numeric(100,0) not null
  gas numeric(100,0) not null
  receipt numeric(100,0) not null
  reserved numeric(100,0) not null
  fee_currency_id integer not null
  network_fee numeric(100,0) not null
  fee_cap numeric(100,0) not null
  value numeric(100,0)
  status text not null
  needs_approval boolean not null
  approved_until bigint
  claimed boolean not null default false
  callback_url text
  create_time bigint not null
  start_time bigint
  end_tx_id text
  end_time bigint
  ended_by text
  end_reason text
  source text not null default 'available'::text
  declined boolean not null default false
  kept numeric not null default 0
  CHECK ((amount > (0)::numeric))
  CHECK ((fee_cap >= network_fee))
  CHECK ((reserved = ((receipt + service_charge) + gas)))
  CHECK (((status = ANY (ARRAY['CONFIRMING-PROGRESS'::text, 'PAID'::text, 'FAIL'::text])) = (start_time IS NOT NULL)))
  CHECK (((status = ANY (ARRAY['PAID'::text, 'FAIL'::text, 'CANCEL'::text])) = (end_time IS NOT NULL)))
  CHECK (((status = 'CANCEL'::text) = ((ended_by IS NOT NULL) AND (end_reason IS NOT NULL))))
  CHECK ((gas >= (0)::numeric))
  CHECK ((network_fee >= (0)::numeric))
  CHECK ((receipt > (0)::numeric))
  CHECK ((service_charge >= (0)::numeric))
  CHECK ((source = ANY (ARRAY['available'::text, 'unassigned'::text])))
  CHECK ((status = ANY (ARRAY['PROGRESS'::text, 'CONFIRMING-PROGRESS'::text, 'PAID'::text, 'FAIL'::text, 'CANCEL'::text])))
  FOREIGN KEY (app_id) REFERENCES apps(app_id)
  PRIMARY KEY (trade_no)
  UNIQUE (app_id, idempotency_key)
  UNIQUE (app_id, signature)
  CREATE INDEX payouts_by_address ON public.payouts USING btree (app_id, to_address) WHERE (status = 'PAID'::text)
  CREATE INDEX payouts_by_app ON public.payouts USING btree (app_id, trade_no)
  CREATE INDEX payouts_by_time ON public.payouts USING btree (app_id, create_time) INCLUDE (value) WHERE (status <> ALL (ARRAY['FAIL'::text, 'CANCEL'::text]))
  CREATE INDEX payouts_open ON public.payouts USING btree (trade_no) WHERE (status = ANY (ARRAY['PROGRESS'::text, 'CONFIRMING-PROGRESS'::text]))
  CREATE INDEX payouts_unclaimed ON public.payouts USING btree (chain, trade_no) WHERE ((status = 'PROGRESS'::text) AND (NOT claimed))
  CREATE INDEX payouts_unclaimed_by_app ON public.payouts USING btree (chain, app_id, trade_no) WHERE ((status = 'PROGRESS'::text) AND (NOT claimed))

people
  person_id text collate "C" not null
  email text not null
  name text not null
  is_operator boolean not null default false
  created_at_ms bigint not null
  language text collate "C"
  CHECK ((email = lower(email)))
  PRIMARY KEY (person_id)
  UNIQUE (email)

postings
  entry_id bigint not null
  account_id bigint not null
  currency_id integer not null
  units numeric(100,0) not null
  CHECK ((units <> (0)::numeric))
  FOREIGN KEY (account_id, currency_id) REFERENCES accounts(account_id, currency_id)
  FOREIGN KEY (entry_id) REFERENCES entries(entry_id)
  PRIMARY KEY (entry_id, account_id)
  CREATE INDEX postings_by_account_entry ON public.postings USING btree (account_id, entry_id)
  CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.postings FOR EACH STATEMENT EXECUTE FUNCTION append_only()
  CREATE TRIGGER postings_balance AFTER INSERT ON public.postings REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION postings_balance()

price_history
  currency_id integer not null
  at bigint not null
  price numeric(100,0) not null
  CHECK ((price > (0)::numeric))
  PRIMARY KEY (currency_id, at)

provider_days
  day integer not null
  chain text collate "C" not null
  provider text collate "C" not null
  calls bigint not null
  failures bigint not null
  total_ms bigint not null
  disagreements bigint not null
  circuit text not null
  reason text
  head bigint
  at_ms bigint not null
  CHECK ((circuit = ANY (ARRAY['closed'::text, 'open'::text, 'half-open'::text])))
  PRIMARY KEY (day, chain, provider)

qr_codes
  qr_code_id integer not null identity
  app_id text not null
  idempotency_key text not null
  signature text not null
  input_hash text not null
  name text not null
  chain text not null
  currency_id integer not null
  default_amount numeric(100,0) not null
  address_id bigint not null
  create_time bigint not null
  disabled_time bigint
  CHECK ((default_amount >= (0)::numeric))
  FOREIGN KEY (address_id) REFERENCES addresses(address_id)
  FOREIGN KEY (app_id) REFERENCES apps(app_id)
  PRIMARY KEY (qr_code_id)
  UNIQUE (address_id)
  UNIQUE (app_id, idempotency_key)
  UNIQUE (app_id, signature)
  CREATE INDEX qr_codes_by_app ON public.qr_codes USING btree (app_id, qr_code_id)

qr_payments
  trade_no text collate "C" not null
  qr_code_id integer not null
  chain text not null
  tx_id text not null
  position text not null
  FOREIGN KEY (qr_code_id) REFERENCES qr_codes(qr_code_id)
  PRIMARY KEY (trade_no)
  UNIQUE (chain, tx_id, "position")
  CREATE INDEX qr_payments_by_code ON public.qr_payments USING btree (qr_code_id, trade_no)

quarantines
  kind text not null
  id text collate "C" not null
  reason text not null
  since_ms bigint not null
  until_ms bigint not null
  CHECK ((kind = ANY (ARRAY['payout'::text, 'outgoing'::text, 'collection'::text, 'holding'::text, 'event'::text])))
  PRIMARY KEY (kind, id)

quote_evidence
  trade_no text collate "C" not null
  evidence jsonb not null
  PRIMARY KEY (trade_no)

receipt_assignments
  chain text not null
  tx_id text not null
  position text not null
  trade_no text collate "C" not null
  assigned_by text not null
  reason text not null
  at_ms bigint not null
  FOREIGN KEY (trade_no) REFERENCES orders(trade_no)
  PRIMARY KEY (chain, tx_id, "position")
  CREATE INDEX receipt_assignments_by_order ON public.receipt_assignments USING btree (trade_no)

receipt_refunds
  trade_no text collate "C" not null
  chain text not null
  tx_id text not null
  position text not null
  refunded_by text not null
  reason text not null
  at_ms bigint not null
  FOREIGN KEY (trade_no) REFERENCES payouts(trade_no)
  PRIMARY KEY (trade_no)
  CREATE INDEX receipt_refunds_by_receipt ON public.receipt_refunds USING btree (chain, tx_id, "position")

recovery_codes
  person_id text collate "C" not null
  code_hash bytea not null
  used_at_ms bigint
  FOREIGN KEY (person_id) REFERENCES people(person_id)
  PRIMARY KEY (person_id, code_hash)

reorgs
  reorg_id bigint not null identity
  chain text not null
  from_number bigint not null
  from_hash text not null
  ancestor_number bigint
  ancestor_hash text
  orphaned integer not null
  at_ms bigint not null
  PRIMARY KEY (reorg_id)
  CREATE INDEX reorgs_by_time ON public.reorgs USING btree (chain, at_ms)

reserve_checks
  chain text not null
  currency_id integer not null
  began_ms bigint not null
  touched_until bigint not null
  round_started_ms bigint not null
  round_position bigint not null
  round_end bigint not null
  round_checked bigint not null default 0
  last_round_checked bigint
  parts_ms bigint[] not null default '{}'::bigint[]
  trouble text
  trouble_since_ms bigint
  CHECK (((trouble IS NULL) = (trouble_since_ms IS NULL)))
  PRIMARY KEY (chain, currency_id)

reserve_days
  day integer not null
  chain text collate "C" not null
  currency_id integer not null
  comparisons bigint not null
  addresses bigint not null
  rounds bigint not null
  most_differing bigint not null
  failures bigint not null
  trouble text
  PRIMARY KEY (day, chain, currency_id)

senders
  sender_id bigint not null identity
  chain text not null
  address_id bigint not null
  next_nonce bigint
  final_nonce bigint
  last_timestamp_ms bigint not null default 0
  stopped_reason text
  stopped_at_ms bigint
  CHECK (((next_nonce IS NULL) = (final_nonce IS NULL)))
  CHECK (((stopped_reason IS NULL) = (stopped_at_ms IS NULL)))
  FOREIGN KEY (address_id) REFERENCES addresses(address_id)
  PRIMARY KEY (sender_id)
  UNIQUE (chain, address_id)

setup_link
  single boolean not null default true
  token_hash bytea not null
  expires_at_ms bigint not null
  CHECK (single)
  PRIMARY KEY (single)

sign_in_attempts
  email_hash bytea not null
  failures integer not null
  locked_until_ms bigint not null
  at_ms bigint not null
  PRIMARY KEY (email_hash)
  CREATE INDEX sign_in_attempts_by_age ON public.sign_in_attempts USING btree (at_ms)

sign_ups
  email text not null
  token_hash bytea not null
  expires_at_ms bigint not null
  CHECK ((email = lower(email)))
  PRIMARY KEY (email)
  UNIQUE (token_hash)
  CREATE INDEX sign_ups_by_end ON public.sign_ups USING btree (expires_at_ms)

transfers
  chain text not null
  tx_id text not null
  position text not null
  ordinal integer not null
  currency_id integer not null
  from_address text not null
  to_address text not null
  units numeric(100,0) not null
  block_number bigint not null
  block_hash text not null
  block_time bigint not null
  state text not null
  disposition text
  address_id bigint
  app_id text
  trade_no text collate "C"
  from_address_id bigint
  CHECK (((state = 'final'::text) = (disposition IS NOT NULL)))
  CHECK ((disposition = ANY (ARRAY['payment'::text, 'late'::text, 'extra'::text, 'unassigned'::text, 'outgoing'::text, 'sent'::text, 'own'::text, 'reversed'::text])))
  CHECK (((address_id IS NOT NULL) OR (from_address_id IS NOT NULL)))
  CHECK ((state = ANY (ARRAY['proposed'::text, 'seen'::text, 'final'::text, 'orphaned'::text])))
  CHECK ((units > (0)::numeric))
  FOREIGN KEY (address_id) REFERENCES addresses(address_id)
  FOREIGN KEY (app_id) REFERENCES apps(app_id)
  FOREIGN KEY (from_address_id) REFERENCES addresses(address_id)
  FOREIGN KEY (trade_no) REFERENCES orders(trade_no)
  PRIMARY KEY (chain, tx_id, "position")
  CREATE INDEX transfers_by_address ON public.transfers USING btree (address_id)
  CREATE INDEX transfers_by_app ON public.transfers USING btree (app_id, block_time) WHERE (app_id IS NOT NULL)
  CREATE INDEX transfers_by_block ON public.transfers USING btree (chain, block_number)
  CREATE INDEX transfers_by_order ON public.transfers USING btree (trade_no) WHERE (trade_no IS NOT NULL)
  CREATE INDEX transfers_by_sender ON public.transfers USING btree (from_address_id) WHERE (from_address_id IS NOT NULL)
  CREATE INDEX transfers_outgoing_by_time ON public.transfers USING btree (block_time) WHERE (disposition = 'outgoing'::text)
  CREATE INDEX transfers_proposed ON public.transfers USING btree (chain, address_id) WHERE (state = 'proposed'::text)
  CREATE INDEX transfers_seen ON public.transfers USING btree (chain, block_number) WHERE (state = 'seen'::text)
  CREATE INDEX transfers_unassigned_by_time ON public.transfers USING btree (app_id, block_time, chain, tx_id, "position") WHERE (disposition = 'unassigned'::text)

CREATE OR REPLACE FUNCTION public.append_only()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $function$

CREATE OR REPLACE FUNCTION public.postings_balance()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF EXISTS (SELECT FROM added GROUP BY entry_id, currency_id HAVING sum(units) <> 0) THEN
    RAISE EXCEPTION 'postings do not balance' USING ERRCODE = 'check_violation';
  END IF;
  UPDATE accounts SET balance = balance + moved.units
  FROM (SELECT account_id, sum(units) AS units FROM added GROUP BY account_id) AS moved
  WHERE accounts.account_id = moved.account_id;
  RETURN NULL;
END $function$
