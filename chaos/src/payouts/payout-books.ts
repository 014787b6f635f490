// Reads what the database holds of payouts, by statements of the reader's own.
import type { Ask, EventRow } from '../reader/books.ts';
import type { PayoutRow } from './compare-payouts.ts';

export interface PayoutBooks {
  readonly payouts: readonly PayoutRow[];
  readonly events: readonly (EventRow & { readonly type: string })[];
  readonly orders: readonly { readonly trade_no: string; readonly app_id: string }[];
  /** Addresses of every purpose, in canonical form. */
  readonly addresses: readonly string[];
  readonly collections: readonly {
    readonly method: string;
    readonly state: string;
    readonly count: string;
  }[];
  /** Variants after the first of their transaction: they offered more than the one before, or were built anew. */
  readonly variants: number;
}

/** Reads everything. Nothing may be at work any more, or the parts do not fit together. */
export async function readPayoutBooks(ask: Ask): Promise<PayoutBooks> {
  const addresses = await ask<{ address: string }>('select address from addresses');
  const [variants] = await ask<{ count: string }>('select count(*) from outgoing_variants where ordinal > 1');
  return {
    payouts: await ask(
      `select trade_no, app_id, substr(idempotency_key, 5) as idempotency_key, chain, currency_id, to_address, amount, receipt, status, end_tx_id
         from payouts order by trade_no`,
    ),
    events: await ask('select * from events order by sequence'),
    orders: await ask('select trade_no, app_id from orders union all select trade_no, app_id from payouts'),
    addresses: addresses.map(({ address }) => address),
    collections: await ask('select method, state, count(*) from collections group by 1, 2 order by 1, 2'),
    variants: Number(variants?.count ?? 0),
  };
}

/** Counts of everything that is still on its way; empty once everything has come to rest. */
export async function readUnderway(ask: Ask): Promise<readonly string[]> {
  const rows = await ask<{ what: string; count: string }>(
    `select 'payouts open' as what, count(*) from payouts where status in ('PROGRESS', 'CONFIRMING-PROGRESS')
     union all select 'transactions of ours open', count(*) from outgoing_transactions where next_at_ms is not null
     union all select 'collections open', count(*) from collections where ended_at_ms is null
     union all select 'events not delivered', count(*) from events where state <> 'delivered'
     union all select 'transfers not final', count(*) from transfers where state = 'seen'`,
  );
  return rows.filter(({ count }) => count !== '0').map(({ what, count }) => `${count} ${what}`);
}

/** Why something may stand still, in words. */
export async function readObstacles(ask: Ask): Promise<readonly string[]> {
  const rows = await ask<{ what: string }>(
    `(select 'transaction ' || outgoing_id || ' of ' || chain || ' for ' || subject_kind || ' ' || state || ' nonce '
         || coalesce(nonce::text, 'none') || ': ' || coalesce(trouble, 'no trouble') as what
       from outgoing_transactions where next_at_ms is not null order by outgoing_id limit 20)
     union all select 'sender ' || address_id || ' of ' || chain || ' is stopped: ' || stopped_reason
       from senders where stopped_reason is not null
     union all (select 'payout ' || trade_no || ' of ' || chain || ' ' || status || ', claimed ' || claimed
       from payouts where status in ('PROGRESS', 'CONFIRMING-PROGRESS') order by trade_no limit 20)
     union all select 'chain ' || chain || ': head ' || head_number || ', final ' || final_number from chain_cursors
     union all select 'lease ' || name || ' of ' || coalesce(holder, 'nobody') from leases`,
  );
  return rows.map(({ what }) => what);
}

/** Breaches of the laws of payouts that hold at any moment; one statement, and so one snapshot. */
export async function readBrokenPayoutLaws(ask: Ask): Promise<readonly string[]> {
  const rows = await ask<{ what: string }>(
    `select 'the ledger does not sum to zero in currency ' || currency_id as what
       from postings group by currency_id having sum(units) <> 0
     union all select 'a payout has ' || count(*) || ' events: ' || trade_no
       from events where type = 'TRANSFER' group by trade_no having count(*) > 1
     union all select 'a transaction did something else than was promised: ' || outgoing_id
       from outgoing_transactions where state = 'mismatched'
     union all select 'a sender is stopped on ' || chain || ': ' || stopped_reason
       from senders where stopped_reason is not null
     union all select 'a chain was halted: ' || chain || ': ' || halted_reason
       from chain_cursors where halted_reason is not null`,
  );
  return rows.map(({ what }) => what);
}
