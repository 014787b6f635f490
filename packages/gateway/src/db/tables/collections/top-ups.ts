// Top-ups: coin that the gas wallet sends to wallets of apps. Each is an outgoing transaction, and has no other row.
import type { ChainFamily } from '@ducat/core/chain/chain';
import { type Amount, type CurrencyId, negate } from '@ducat/core/money/amount';
import type { OutgoingState } from '@ducat/core/outgoing/outgoing';
import type { Reader } from '../../postgres/tx.ts';
import { fromNumeric } from '../amounts.ts';

/** A wallet of an app with open outgoing transfers. */
export interface BusyWallet {
  readonly address: string;
  /** The app's number below the seed. */
  readonly account: number;
  /** Held of the native currency, final by the books. */
  readonly held: Amount;
  /** Payouts and cold transfers that have not ended, and how much coin they move. */
  readonly openPayouts: number;
  readonly openCoin: Amount;
  /** A token that these move; null where they move coin alone. */
  readonly openToken: CurrencyId | null;
  /** Whether deposit addresses of the app hold coin that is to be collected. */
  readonly isCollecting: boolean;
  /** The open top-up of the wallet; null if there is none. */
  readonly topUp: OpenTopUp | null;
}

export interface OpenTopUp {
  readonly topUpId: string;
  readonly state: OutgoingState;
  readonly troubleSinceMs: number | null;
}

export interface BusyWalletsQuery {
  readonly chain: string;
  readonly nativeId: number;
  readonly limit: number;
}

interface Row {
  readonly address: string;
  readonly account: number;
  readonly balance: string;
  readonly open_payouts: number;
  readonly open_coin: string;
  readonly open_token: number | null;
  readonly is_collecting: boolean;
  readonly top_up_id: string | null;
  readonly top_up_state: OutgoingState;
  readonly trouble_since_ms: number | null;
}

/** The wallets that hold the least come first. */
export async function readBusyWallets(
  reader: Reader,
  { chain, nativeId, limit }: BusyWalletsQuery,
): Promise<readonly BusyWallet[]> {
  const rows = await reader.read<Row>(
    `SELECT d.address, a.account, coalesce(c.balance, 0)::text AS balance, busy.open_payouts,
       busy.open_coin::text AS open_coin, busy.open_token,
       EXISTS (SELECT FROM holdings h WHERE h.app_id = d.app_id AND h.currency_id = $2 AND h.chain = $1
         AND h.state IN ('waiting', 'collecting')) AS is_collecting,
       t.subject_id AS top_up_id, t.state AS top_up_state, t.trouble_since_ms
     FROM (SELECT sender_id, count(*)::integer AS open_payouts,
         coalesce(sum(units) FILTER (WHERE currency_id = $2), 0) AS open_coin,
         min(currency_id) FILTER (WHERE currency_id <> $2) AS open_token
       FROM outgoing_transactions
       WHERE chain = $1 AND next_at_ms IS NOT NULL AND subject_kind IN ('payout', 'cold') GROUP BY sender_id) AS busy
       JOIN senders USING (sender_id) JOIN addresses d USING (address_id) JOIN apps a USING (app_id)
       LEFT JOIN accounts c ON c.kind = 'custody' AND c.owner = $1 || '/' || d.address AND c.currency_id = $2
       LEFT JOIN LATERAL (SELECT subject_id, state, trouble_since_ms FROM outgoing_transactions o
         WHERE o.chain = $1 AND o.next_at_ms IS NOT NULL AND o.subject_kind = 'funding' AND o.action = 'transfer' AND o.to_address = d.address
         LIMIT 1) AS t ON true
     WHERE d.purpose = 'wallet' ORDER BY c.balance DESC NULLS FIRST, d.address_id LIMIT $3`,
    [chain, nativeId, limit],
  );
  return rows.map((row) => ({
    address: row.address,
    account: row.account,
    // Custody is carried negative.
    held: negate(fromNumeric(nativeId, row.balance)),
    openPayouts: row.open_payouts,
    openCoin: fromNumeric(nativeId, row.open_coin),
    openToken: row.open_token,
    isCollecting: row.is_collecting,
    topUp:
      row.top_up_id === null
        ? null
        : { topUpId: row.top_up_id, state: row.top_up_state, troubleSinceMs: row.trouble_since_ms },
  }));
}

/** Whether a top-up is on its way to a wallet. */
export async function hasOpenTopUp(reader: Reader, chain: string, wallet: string): Promise<boolean> {
  const rows = await reader.read(
    `SELECT FROM outgoing_transactions WHERE chain = $1 AND next_at_ms IS NOT NULL AND subject_kind = 'funding' AND action = 'transfer'
       AND to_address = $2 LIMIT 1`,
    [chain, wallet],
  );
  return rows.length > 0;
}

/** The coin that was sent to wallets since then, or is on its way there. */
export async function sumTopUps(
  reader: Reader,
  {
    chain,
    family,
    nativeId,
    sinceMs,
  }: {
    readonly chain: string;
    readonly family: ChainFamily;
    readonly nativeId: number;
    readonly sinceMs: number;
  },
): Promise<Amount> {
  const [row] = await reader.read<{ units: string }>(
    `SELECT coalesce(sum(o.units), 0)::text AS units
     FROM outgoing_transactions o JOIN addresses d ON d.family = $2 AND d.address = o.to_address
     WHERE o.chain = $1 AND o.subject_kind = 'funding' AND o.action = 'transfer' AND o.created_at_ms > $3 AND o.state <> 'cancelled'
       AND d.purpose = 'wallet'`,
    [chain, family, sinceMs],
  );
  return fromNumeric(nativeId, row?.units ?? '0');
}
