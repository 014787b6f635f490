// Hosted orders: what their payer may choose from, and each choice as it was priced.
import type { Quote } from '@ducat/core/money/rate';
import type { Amount } from '@ducat/core/money/amount';
import type { Tx } from '../../postgres/tx.ts';
import { toNumeric } from '../amounts.ts';
import { evidenceText } from './quote-evidence.ts';
import { quoteText } from './quotes.ts';

/** What pre-create adds to an order. */
export interface HostedTerms {
  readonly subject: string | null;
  /** What the payer may choose from; null for everything that is on for the app. */
  readonly offered: readonly number[] | null;
  readonly isChosen: boolean;
}

/** Makes an existing order a hosted one. Its present currency is the first row of its choices. */
export async function insertHosted(tx: Tx, tradeNo: string, terms: HostedTerms): Promise<void> {
  await tx.write(
    `WITH added AS (
       INSERT INTO hosted_orders (trade_no, subject, currency_ids, is_chosen) VALUES ($1, $2, $3::integer[], $4)
     )
     INSERT INTO currency_choices (trade_no, number, at_ms, currency_id, address_id, due, quote)
     SELECT trade_no, 1, create_time * 1000, currency_id, address_id, due, quote FROM orders WHERE trade_no = $1`,
    [tradeNo, terms.subject, terms.offered, terms.isChosen],
  );
}

export interface HostedState {
  readonly offered: readonly number[] | null;
  readonly choices: number;
  readonly hasTransfers: boolean;
}

/** The state of an order that the caller has locked; null if pre-create did not make it. */
export async function readHostedState(tx: Tx, tradeNo: string): Promise<HostedState | null> {
  const [row] = await tx.read<HostedState>(
    `SELECT currency_ids AS offered,
       (SELECT count(*)::integer FROM currency_choices c WHERE c.trade_no = h.trade_no) AS choices,
       EXISTS (SELECT FROM transfers t WHERE t.trade_no = h.trade_no) AS "hasTransfers"
     FROM hosted_orders h WHERE trade_no = $1`,
    [tradeNo],
  );
  return row ?? null;
}

export interface OrderAddress {
  readonly addressId: number;
  readonly address: string;
}

/**
 * The address of this order in a family: the one it has had before, else a fresh one from the pool; null where the pool
 * is empty. An address that an order once showed stays its own, whatever its payer chose afterwards.
 */
export async function takeAddress(
  tx: Tx,
  { tradeNo, appId }: { readonly tradeNo: string; readonly appId: string },
  family: string,
): Promise<OrderAddress | null> {
  const [had] = await tx.read<OrderAddress>(
    `SELECT d.address_id AS "addressId", d.address FROM addresses d
     WHERE d.family = $2 AND d.trade_no = $1
       AND d.address_id IN (SELECT address_id FROM currency_choices WHERE trade_no = $1)`,
    [tradeNo, family],
  );
  if (had !== undefined) return had;
  const [taken] = await tx.write<OrderAddress>(
    `UPDATE addresses SET trade_no = $1
     WHERE address_id = (
       SELECT address_id FROM addresses
       WHERE (app_id, family, address_id) >= ($2, $3, 0) AND (app_id, family) <= ($2, $3)
         AND purpose = 'order' AND trade_no IS NULL AND NOT retired
       ORDER BY app_id, family, address_id LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING address_id AS "addressId", address`,
    [tradeNo, appId, family],
  );
  return taken ?? null;
}

export interface CurrencyChoice {
  readonly tradeNo: string;
  readonly number: number;
  readonly atMs: number;
  readonly chain: string;
  readonly currencyId: number;
  readonly due: Amount;
  readonly quote: Quote | null;
}

/** Stores the choice, and changes the order to it. */
export async function writeChoice(tx: Tx, choice: CurrencyChoice, address: OrderAddress): Promise<void> {
  const { tradeNo, number, atMs, chain, currencyId, due, quote } = choice;
  const quoted = quote === null ? null : quoteText(quote);
  await tx.write(
    `WITH kept AS (
       INSERT INTO currency_choices (trade_no, number, at_ms, currency_id, address_id, due, quote)
       VALUES ($1, $2, $3, $5, $6, $8::numeric, $9::jsonb)
     ), chosen AS (
       UPDATE hosted_orders SET is_chosen = true WHERE trade_no = $1
     ), proven AS (
       INSERT INTO quote_evidence (trade_no, evidence) SELECT $1, $10::jsonb WHERE $10::jsonb IS NOT NULL
       ON CONFLICT (trade_no) DO UPDATE SET evidence = excluded.evidence
     )
     UPDATE orders SET chain = $4, currency_id = $5, address_id = $6, address = $7, due = $8::numeric, quote = $9::jsonb
     WHERE trade_no = $1`,
    [
      tradeNo,
      number,
      atMs,
      chain,
      currencyId,
      address.addressId,
      address.address,
      toNumeric(due),
      quoted,
      quote === null ? null : evidenceText(quote.evidence),
    ],
  );
}
