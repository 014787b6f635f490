// What wallets and deposit addresses of a chain hold, by the books.
import type { ChainFamily } from '@ducat/core/chain/chain';
import { type Amount, negate } from '@ducat/core/money/amount';
import type { Reader } from '../postgres/tx.ts';
import { fromNumeric } from '../tables/amounts.ts';

export interface WalletsReport {
  /** Each wallet with each currency that it ever had; the gateway's own has no app and pays for gas. */
  readonly wallets: readonly {
    readonly address: string;
    readonly appId: string | null;
    /** Null if it never had anything. */
    readonly held: Amount | null;
  }[];
  /** All deposit addresses together, by currency. */
  readonly deposits: readonly Amount[];
  /** Why deposit addresses hold it, by app and currency, as of the last checks. */
  readonly holdings: readonly {
    readonly appId: string;
    readonly state: string;
    readonly addresses: number;
    readonly held: Amount;
  }[];
}

export interface WalletsQuery {
  readonly chain: string;
  readonly family: ChainFamily;
}

export async function readWalletsReport(
  reader: Reader,
  { chain, family }: WalletsQuery,
): Promise<WalletsReport> {
  const wallets = await reader.read<{
    address: string;
    appId: string | null;
    id: number | null;
    units: string;
  }>(
    `SELECT d.address, d.app_id AS "appId", a.currency_id AS id, a.balance AS units
     FROM addresses d LEFT JOIN accounts a ON a.kind = 'custody' AND a.owner = $1 || '/' || d.address
     WHERE d.family = $2 AND d.purpose = 'wallet' ORDER BY d.app_id NULLS FIRST, d.address, a.currency_id`,
    [chain, family],
  );
  const deposits = await reader.read<{ id: number; units: string }>(
    `SELECT currency_id AS id, balance AS units FROM accounts WHERE kind = 'custody' AND owner = $1 AND balance <> 0
     ORDER BY currency_id`,
    [chain],
  );
  const holdings = await reader.read<{
    appId: string;
    state: string;
    addresses: number;
    id: number;
    units: string;
  }>(
    `SELECT app_id AS "appId", state, count(*)::integer AS addresses, currency_id AS id, sum(units)::text AS units
     FROM holdings WHERE chain = $1 GROUP BY app_id, currency_id, state ORDER BY app_id, currency_id, state`,
    [chain],
  );
  return {
    wallets: wallets.map(({ address, appId, id, units }) => ({
      address,
      appId,
      held: id === null ? null : inCustody(id, units),
    })),
    deposits: deposits.map(({ id, units }) => inCustody(id, units)),
    holdings: holdings.map(({ appId, state, addresses, id, units }) => ({
      appId,
      state,
      addresses,
      held: fromNumeric(id, units),
    })),
  };
}

/** Custody is carried negative. */
function inCustody(currencyId: number, units: string): Amount {
  return negate(fromNumeric(currencyId, units));
}
