// What every migration means for processes of an older build that run beside it, and which tables it reads as a whole.

/** What waits for it at a table that it reads: nothing, what writes there, or everything. */
export type Waits = 'nothing' | 'writes' | 'everything';

export interface MigrationMark {
  /**
   * Whether processes of the build before run on beside it: yes; no, they have to be stopped first; or they do until
   * the thing named here is used, which they would treat wrongly.
   */
  readonly olderRuns: 'yes' | 'no' | { readonly until: string };
  /** Large tables that it reads as a whole, which takes its time. What is locked for a moment is not named. */
  readonly reads: Readonly<Record<string, Waits>>;
}

const nothing = {} as const;
const quick: MigrationMark = { olderRuns: 'yes', reads: nothing };
const scan = (reads: MigrationMark['reads']): MigrationMark => ({ olderRuns: 'yes', reads });
const until = (use: string, reads: MigrationMark['reads'] = nothing): MigrationMark => ({
  olderRuns: { until: use },
  reads,
});

/** By the name of the file without its ending. A test holds that each migration is here, and that its SQL reads no other table. */
export const migrationMarks: Readonly<Record<string, MigrationMark>> = {
  '0001_first': quick,
  // Older watchers take no lease: two would read one chain.
  '0002_lease': { olderRuns: 'no', reads: nothing },
  '0003_events_statistics': quick,
  '0004_events_index': scan({ events: 'nothing' }),
  // Blocks of an older watcher prove nothing.
  '0005_chain_walk': { olderRuns: 'no', reads: { accounts: 'everything' } },
  '0006_reserve_checks': scan({ accounts: 'writes' }),
  // Older processes keep no keys of orders, and write a column that has another name.
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
  // An older watcher books what leaves as an outflow that nobody meant.
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
  // An older payer takes the money of a refund from what is available.
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
  // An older API answers to every address.
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
  // An older process counts towards no limit of a merchant.
  '0206_merchant_limits': until('limits of merchants'),
  '0207_outflows_by_time': scan({ transfers: 'writes' }),
  '0208_sign_ups': quick,
  '0210_declined_payouts': quick,
  // An older process counts no refund of an order when it sends one of its receipts back.
  '0211_order_refunds': until('refunds of paid orders'),
  // An older payer takes a sweep for a transfer.
  '0214_sweeps': until('`sponsored` of a chain'),
  '0215_sweep_indexes': scan({ outgoing_transactions: 'writes' }),
  '0216_sweeps_proven': scan({ outgoing_transactions: 'nothing', collections: 'nothing' }),
  '0217_collections_of_a_sweep': scan({ collections: 'writes' }),
  '0218_orders_shown_for_coin': scan({ orders: 'writes', currency_choices: 'writes' }),
  // An older process writes down nowhere what the recipient of a failed payout got.
  '0220_kept_parts': until('`ducat payouts end`', {
    payouts: 'nothing',
    entries: 'nothing',
    postings: 'nothing',
    accounts: 'nothing',
  }),
  // An older process changes a password and leaves the link to another one as it is.
  '0223_password_links': until('links to a new password'),
  // An older dashboard makes a second thing of a click that was sent twice, as it always did.
  '0224_dashboard_requests': quick,
  '0225_audit_log_outlives': quick,
  '0226_incidents': quick,
  // An older collector begins a collection where a newer one takes energy back.
  '0230_returning_energy': until('strays of a stake', { outgoing_transactions: 'writes' }),
};
