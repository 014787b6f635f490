// Entries of an order's story as short rows, so that a test shows the whole of it at a glance.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';

type Timeline = ResponseOf<'orders.read'>['timeline'];
type Kind = Timeline[number]['kind'];
type EntryOf<K extends Kind> = Extract<Timeline[number], { readonly kind: K }>;

/** The fields of a row for an entry of each kind; a new kind needs its own. */
const said: { readonly [K in Kind]: (entry: EntryOf<K>) => readonly unknown[] } = {
  created: () => [],
  quote: ({ quote, evidence }) => [
    `${quote.price} ${quote.fiat} ${quote.source}`,
    ...(evidence ?? []).map(({ source, price, verdict }) => `${source} ${price} ${verdict}`),
  ],
  choice: ({ number, amount, currency_id: id }) => [number, amount, id],
  transfer: (one) => [
    one.tx_id,
    one.amount,
    one.state,
    one.disposition,
    one.block_number,
    `${one.confirmations}/${one.confirmations_needed}`,
    one.can_send_back ? 'can go back' : 'stays',
  ],
  reorg: ({ chain, from_number: from, ancestor_number: ancestor }) => [chain, from, ancestor],
  ledger: ({ fact, postings }) => [fact, ...postings.map(({ account, amount }) => `${account} ${amount}`)],
  webhook: ({ status, state, body, attempts }) => [
    status,
    state,
    body,
    ...attempts.map(({ attempt, outcome, http_status: http }) => `${attempt} ${outcome} ${http}`),
  ],
  expired: () => [],
  accepted: ({ by, reason }) => [by, reason],
  refund: ({ status, amount, to, by, reason, tx_id: txId }) => [status, amount, to, by, reason, txId],
  collection: ({ method, state, amount, cost, transactions }) => [
    method,
    state,
    amount,
    cost,
    ...transactions.map(
      ({ subject_kind: kind, action, state: now, amount: moved, variants }) =>
        `${kind} ${action} ${now} ${moved} ${variants.map(({ tx_id: txId, block }) => `${txId} ${block?.fee}`).join()}`,
    ),
  ],
};

/** The row of an entry: its kind, and the fields that tests check. */
export function rowOf<K extends Kind>(entry: EntryOf<K> & { readonly kind: K }): readonly unknown[] {
  return [entry.kind, ...said[entry.kind](entry)];
}
