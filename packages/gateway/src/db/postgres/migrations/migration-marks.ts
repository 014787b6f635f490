// For every migration: whether processes of an older build may run beside it, and which tables it reads as a whole.

/** Which statements on a table wait while a migration reads it: none, writes, or all. */
export type Waits = 'nothing' | 'writes' | 'everything';

export interface MigrationMark {
  /**
   * Whether processes of the build before can run on after the migration: `yes`; `no`, they have to be stopped first;
   * or until the feature named here is used, because they would treat it wrongly.
   */
  readonly olderRuns: 'yes' | 'no' | { readonly until: string };
  /**
   * Large tables that the migration reads as a whole, which takes long. A table that is locked only for a moment is not
   * here.
   */
  readonly reads: Readonly<Record<string, Waits>>;
}

const nothing = {} as const;
const quick: MigrationMark = { olderRuns: 'yes', reads: nothing };
const scan = (reads: MigrationMark['reads']): MigrationMark => ({ olderRuns: 'yes', reads });
const until = (use: string, reads: MigrationMark['reads'] = nothing): MigrationMark => ({
  olderRuns: { until: use },
  reads,
});

/**
 * By file name without its ending. A test holds that each migration is listed, and that its SQL reads no other table as
 * a whole.
 */
export const migrationMarks: Readonly<Record<string, MigrationMark>> = {
  '0001_first': quick,
  // Older watchers take no lease: two would read one chain.
  '0002_lease': { olderRuns: 'no', reads: nothing },
  '0003_events_statistics': quick,
  '0004_events_index': scan({ events: 'nothing' }),
  // An older watcher stores blocks without proof.
  '0005_chain_walk': { olderRuns: 'no', reads: { accounts: 'everything' } },
  '0006_reserve_checks': scan({ accounts: 'writes' }),
  // Older processes store no keys of orders, and write to a column that was renamed.
  '0007_ground_for_growth': {
    olderRuns: 'no',
    reads: {
      orders: 'everything',
      addresses: 'everything',
      transfers: 'everything',
      events: 'everything',
      delivery_attempts: 'everything',
    },
  },
  '0010_old_rows_proven': scan({ addresses: 'nothing', transfers: 'nothing', entries: 'nothing' }),
  '0011_transfers_by_block': scan({ transfers: 'writes' }),
  '0012_native_orders': scan({ addresses: 'writes', orders: 'writes' }),
  '0013_address_indexes': scan({ addresses: 'writes' }),
  // An older watcher books each outgoing transfer as an outflow without an intent.
  '0016_outgoing': until('payouts'),
  '0017_sent_facts': until('payouts', { accounts: 'everything' }),
  '0020_payouts': until('payouts', { accounts: 'everything' }),
  '0021_payout_ends': scan({ entries: 'writes' }),
  '0022_facts_proven': scan({ entries: 'nothing', transfers: 'nothing' }),
  '0030_hosted_orders': until('the payment page'),
  '0031_page_logos': quick,
  '0040_qr_codes': until('static QR codes'),
  '0050_wallet_index': scan({ addresses: 'writes' }),
  '0051_collections': until('collection', { transfers: 'nothing', addresses: 'nothing' }),
  '0055_order_acceptances': quick,
  // An older payer would take the money of a refund from the available balance.
  '0056_receipt_refunds': until('refunds of receipts', { payouts: 'everything' }),
  '0057_payout_endings': until('`ducat payouts end`'),
  '0058_adoption_facts_proven': scan({ entries: 'nothing' }),
  '0060_access': quick,
  '0070_dashboard_lists': scan({
    orders: 'writes',
    transfers: 'writes',
    collections: 'writes',
    payouts: 'writes',
  }),
  '0071_statement_index': scan({ postings: 'writes' }),
  '0072_mismatched_endings': until('`ducat payouts end`'),
  '0073_mismatched_facts_proven': scan({ entries: 'nothing' }),
  '0074_quarantines': quick,
  '0077_fundings': until('top-ups (`top_up_budget`)', { outgoing_transactions: 'writes' }),
  '0078_cold_storage': until('cold storage', { accounts: 'everything' }),
  '0079_cold_fact_proven': scan({ entries: 'nothing' }),
  '0094_unread_blocks': until('`ducat chain rewind`'),
  '0095_cold_endings': until('`ducat wallets end-cold`'),
  '0096_begun_outgoing': scan({ outgoing_transactions: 'writes' }),
  // An older payer takes a delegation for a transfer.
  '0100_delegations': until('a stake'),
  '0101_delegation_indexes': scan({ collections: 'writes' }),
  '0102_delegations_proven': scan({ outgoing_transactions: 'nothing', collections: 'nothing' }),
  '0110_added_chains': until('chains of the dashboard'),
  // An older API answers requests from every address.
  '0111_app_network': until('allowed addresses of apps'),
  '0120_found_inclusions': until('`ducat payouts end` and `ducat wallets end-cold`'),
  '0121_fair_shares': scan({ outgoing_transactions: 'writes', payouts: 'writes' }),
  '0122_quarantined_collections': quick,
  '0130_removed_additions': until('removed chains and tokens'),
  '0131_days_kept': quick,
  '0133_changed_additions': until('changed chains and tokens'),
  '0144_mails': quick,
  // An older dashboard asks for no passkey.
  '0145_passkeys': until('passkeys'),
  '0154_event_quarantine': quick,
  '0161_setup_link': quick,
  // An older API answers the apps of a suspended merchant.
  '0190_suspended_merchants': until('suspended merchants'),
  '0200_languages': quick,
  '0203_backup_marks': quick,
  '0204_price_history': quick,
  '0205_api_calls': quick,
  // An older process does not count what it makes towards the limits of a merchant.
  '0206_merchant_limits': until('limits of merchants'),
  '0207_outflows_by_time': scan({ transfers: 'writes' }),
  '0208_sign_ups': quick,
  '0210_declined_payouts': quick,
  // An older process ignores refunds of an order when it sends back one of the order's receipts.
  '0211_order_refunds': until('refunds of paid orders'),
  // An older payer takes a sweep for a transfer.
  '0214_sweeps': until('`sponsored` of a chain'),
  '0215_sweep_indexes': scan({ outgoing_transactions: 'writes' }),
  '0216_sweeps_proven': scan({ outgoing_transactions: 'nothing', collections: 'nothing' }),
  '0217_collections_of_a_sweep': scan({ collections: 'writes' }),
  '0218_orders_shown_for_coin': scan({ orders: 'writes', currency_choices: 'writes' }),
  // An older process does not record what the recipient of a failed payout got.
  '0220_kept_parts': until('`ducat payouts end`', {
    payouts: 'nothing',
    entries: 'nothing',
    postings: 'nothing',
    accounts: 'nothing',
  }),
  // An older process that changes a password leaves a pending password link valid.
  '0223_password_links': until('links to a new password'),
  // An older dashboard carries out a click twice if it was sent twice, as before this migration.
  '0224_dashboard_requests': quick,
  '0225_audit_log_outlives': quick,
  '0226_incidents': quick,
  // An older collector begins a collection from an address whose energy a newer one is taking back.
  '0230_returning_energy': until('strays of a stake', { outgoing_transactions: 'writes' }),
  // An older watcher reads blocks without a currency that was added after its start, and does not note it.
  '0231_currencies_to_read': until('a currency that is added'),
  // An older audit calls a reversal a corruption, and an older gateway refunds and assigns a receipt that was reversed.
  '0234_reversals': until('`ducat deposits reverse`', { accounts: 'everything' }),
  '0235_reversals_proven': scan({ entries: 'nothing', transfers: 'nothing' }),
};
