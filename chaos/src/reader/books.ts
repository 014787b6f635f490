// Reads what the database holds at the end, by statements of the reader's own.

/** Runs one statement. */
export type Ask = <Row extends object>(sql: string, values?: readonly unknown[]) => Promise<Row[]>;

export interface OrderRow {
  readonly trade_no: string;
  readonly app_id: string;
  readonly out_trade_no: string;
  readonly chain: string;
  readonly currency_id: number;
  readonly address: string;
  readonly due: string;
  readonly collected: string;
  readonly status: string;
  readonly time_expire: string;
}

export interface TransferRow {
  readonly chain: string;
  readonly tx_id: string;
  readonly currency_id: number;
  readonly to_address: string;
  readonly units: string;
  readonly state: string;
}

/** One posting with its entry and its account. */
export interface PostingRow {
  readonly reference: string;
  readonly fact: string;
  readonly kind: string;
  readonly owner: string;
  readonly currency_id: number;
  readonly units: string;
}

export interface EventRow {
  readonly event_id: string;
  readonly app_id: string;
  readonly trade_no: string;
  readonly status: string;
  readonly body: string;
  readonly state: string;
  readonly attempts: number;
}

export interface Books {
  readonly orders: readonly OrderRow[];
  readonly transfers: readonly TransferRow[];
  readonly postings: readonly PostingRow[];
  readonly events: readonly EventRow[];
  readonly addresses: readonly {
    readonly address: string;
    readonly trade_no: string | null;
    readonly app_id: string;
  }[];
  readonly cursors: readonly {
    readonly chain: string;
    readonly final_number: string;
    readonly halted_reason: string | null;
  }[];
  readonly wrongBalances: readonly { readonly account_id: string }[];
}

/** Reads everything. Nothing may be at work any more, or the parts do not fit together. */
export async function readBooks(ask: Ask): Promise<Books> {
  return {
    orders: await ask('select * from orders order by trade_no'),
    transfers: await ask('select * from transfers'),
    postings: await ask(
      `select e.reference, e.fact, a.kind, a.owner, p.currency_id, p.units from postings p
         join entries e using (entry_id) join accounts a using (account_id)`,
    ),
    events: await ask('select * from events order by sequence'),
    addresses: await ask('select address, trade_no, app_id from addresses'),
    cursors: await ask('select chain, final_number, halted_reason from chain_cursors'),
    wrongBalances: await ask(
      `select a.account_id from accounts a left join postings p using (account_id)
         group by a.account_id having a.balance <> coalesce(sum(p.units), 0)`,
    ),
  };
}

/** Counts of everything that is still on its way; empty once everything has come to rest. */
export async function readPassing(ask: Ask): Promise<readonly string[]> {
  const rows = await ask<{ what: string; count: string }>(
    `select 'orders to be paid' as what, count(*) from orders where status = 'TO-BE-PAID'
     union all select 'events not delivered', count(*) from events where state <> 'delivered'
     union all select 'transfers not final', count(*) from transfers where state = 'seen'`,
  );
  return rows.filter(({ count }) => count !== '0').map(({ what, count }) => `${count} ${what}`);
}

/** Why something may stand still, in words: how far each chain is, its open orders, busy sessions and leases. */
export async function readStanding(ask: Ask): Promise<readonly string[]> {
  const rows = await ask<{ what: string }>(
    `select 'chain ' || chain || ': head ' || head_number || ', final ' || final_number || ' of '
         || to_timestamp(final_time) || ', open orders until '
         || coalesce((select min(to_timestamp(time_expire)) || ' to ' || max(to_timestamp(time_expire)) from orders o
              where o.chain = c.chain and status = 'TO-BE-PAID'), 'none') as what
       from chain_cursors c
     union all select 'session ' || pid || ' ' || coalesce(state, '') || ' ' || coalesce(wait_event, '') || ' for '
         || (now() - state_change) || ': ' || left(query, 120)
       from pg_stat_activity where state <> 'idle' and pid <> pg_backend_pid()
     union all select 'lease ' || name || ' of ' || coalesce(holder, 'nobody') || ', token ' || token from leases`,
    [],
  );
  return rows.map(({ what }) => what);
}

/** Breaches of the laws that hold at any moment; one statement, and so one snapshot. */
export async function readBrokenLaws(ask: Ask, acknowledged: readonly string[]): Promise<readonly string[]> {
  const rows = await ask<{ what: string }>(
    `select 'the ledger does not sum to zero in currency ' || currency_id as what
       from postings group by currency_id having sum(units) <> 0
     union all select 'a final transfer was booked ' || count(e.entry_id) || ' times: ' || t.chain || '/' || t.tx_id
       from transfers t left join entries e on e.reference = t.chain || '/' || t.tx_id || '/' || t.position
       where t.state = 'final' group by t.chain, t.tx_id, t.position having count(e.entry_id) <> 1
     union all select 'an order has more than one ' || status || ' event: ' || trade_no
       from events where status in ('PAID', 'TIME-OUT') group by trade_no, status having count(*) > 1
     union all select 'an acknowledged order is gone: ' || known
       from unnest($1::text[]) as known where not exists (select from orders where trade_no = known)
     union all select 'a chain was halted: ' || chain || ': ' || halted_reason
       from chain_cursors where halted_reason is not null`,
    [acknowledged],
  );
  return rows.map(({ what }) => what);
}
