// Which rows of which table belong to the merchant of a walled read, as conditions of row-level security.

const MERCHANT = "current_setting('ducat.merchant_id')";
const byMerchant = `merchant_id = ${MERCHANT}`;
// An array is read once per statement and searched by an index. A subquery would run for every row.
const APPS = `ARRAY(SELECT app_id FROM apps WHERE ${byMerchant})`;
const byApp = `app_id = ANY (${APPS})`;

/** The row is visible if its row in another walled table is: that table's policy leaves only the merchant's rows. */
const through = (table: string, other: string, column: string, theirs = column) =>
  `EXISTS (SELECT FROM ${other} WHERE ${other}.${theirs} = ${table}.${column})`;
/** A funding's subject id is the id of its collection, followed by a dot and a suffix. */
const ofCollection = (table: string) =>
  `EXISTS (SELECT FROM collections WHERE collections.collection_id = split_part(${table}.subject_id, '.', 1))`;
const ofOrder = (table: string) => through(table, 'orders', 'trade_no');

/** A table that is neither here nor shared cannot be read behind the wall at all. */
export const walledTables: Readonly<Record<string, string>> = {
  merchants: byMerchant,
  memberships: byMerchant,
  invitations: byMerchant,
  audit_log: byMerchant,
  people: through('people', 'memberships', 'person_id'),
  apps: byMerchant,
  api_calls: byApp,
  app_currencies_off: byApp,
  checkout_pages: byApp,
  addresses: byApp,
  account_keys: byApp,
  orders: byApp,
  order_keys: byApp,
  order_acceptances: ofOrder('order_acceptances'),
  hosted_orders: ofOrder('hosted_orders'),
  currency_choices: ofOrder('currency_choices'),
  quote_evidence: ofOrder('quote_evidence'),
  archived_quote_evidence: ofOrder('archived_quote_evidence'),
  receipt_assignments: ofOrder('receipt_assignments'),
  transfers: byApp,
  qr_codes: byApp,
  qr_payments: through('qr_payments', 'qr_codes', 'qr_code_id'),
  events: byApp,
  archived_events: byApp,
  delivery_attempts: through('delivery_attempts', 'events', 'event_id'),
  archived_delivery_attempts: through('archived_delivery_attempts', 'archived_events', 'event_id'),
  payouts: byApp,
  receipt_refunds: through('receipt_refunds', 'payouts', 'trade_no'),
  order_refunds: through('order_refunds', 'payouts', 'trade_no'),
  payout_askers: through('payout_askers', 'payouts', 'trade_no'),
  payout_settings: byApp,
  payout_addresses: byApp,
  payout_approvals: through('payout_approvals', 'payouts', 'trade_no'),
  accounts: `owner = ANY (${APPS})`,
  postings: through('postings', 'accounts', 'account_id'),
  entries: through('entries', 'postings', 'entry_id'),
  holdings: byApp,
  collections: through('collections', 'addresses', 'address_id'),
  senders: through('senders', 'addresses', 'address_id'),
  outgoing_transactions: `CASE subject_kind
    WHEN 'payout' THEN ${through('outgoing_transactions', 'payouts', 'subject_id', 'trade_no')}
    WHEN 'collection' THEN ${through('outgoing_transactions', 'collections', 'subject_id', 'collection_id')}
      OR ${through('outgoing_transactions', 'collections', 'subject_id', 'sweep_id')}
    WHEN 'funding' THEN ${ofCollection('outgoing_transactions')}
    ELSE false END`,
  outgoing_variants: through('outgoing_variants', 'outgoing_transactions', 'outgoing_id'),
  inclusions: `EXISTS (SELECT FROM outgoing_variants v WHERE v.chain = inclusions.chain AND v.tx_id = inclusions.tx_id)`,
};

/** Tables with the same content for every merchant. */
export const sharedTables: readonly string[] = [
  'blocks',
  'chain_cursors',
  'currencies',
  'currency_suspensions',
  'price_history',
  'reorgs',
];
