// Set-up of payout tests: an app with money, fixed network fees, and calls with an Idempotency-Key.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import { nativeCurrency } from '@ducat/core/chain/chain';
import { amountOf } from '@ducat/core/money/amount';
import type { Database } from '@ducat/gateway/db/postgres/tx';
import type { NetworkFees } from '@ducat/gateway/roles/api/payouts/network-fees';
import { type Answered, signedHeaders, type TestApi, type TestApp } from './test-api.ts';

/** Books a deposit of so many units, custody and all, so that the books stay balanced. */
export async function fundApp(
  { transact }: Pick<Database, 'transact'>,
  appId: string,
  currencyId: number,
  units: bigint,
): Promise<void> {
  await transact(async (tx) => {
    await tx.write(
      `INSERT INTO accounts (kind, owner, currency_id, balance)
       VALUES ('custody', 'ETH', $2, -$3::numeric), ('available', $1, $2, $3::numeric)
       ON CONFLICT (kind, owner, currency_id) DO UPDATE SET balance = accounts.balance + excluded.balance`,
      [appId, currencyId, units.toString()],
    );
  });
}

/** Every transfer on these chains costs so many base units of the native currency. */
export function fixedNetworkFees(
  chains: readonly ChainDefinition[],
  units: bigint,
): ReadonlyMap<string, NetworkFees> {
  return new Map(
    chains.map((chain) => {
      const expected = amountOf(nativeCurrency(chain).currencyId, units);
      return [
        chain.name,
        { estimate: () => Promise.resolve({ outcome: 'possible', expected, most: expected }) },
      ] as const;
    }),
  );
}

/**
 * A signed payout/create under an Idempotency-Key. `laterS` seconds are added to its timestamp, because equal
 * requests with equal timestamps have the same signature.
 */
export function callNamed(
  api: TestApi,
  key: string,
  body: object,
  app: TestApp = api.payment,
  laterS = 0,
): Promise<Answered> {
  const bytes = JSON.stringify(body);
  const headers = signedHeaders(bytes, app, Math.floor(api.world.nowMs() / 1000) + laterS);
  return api.send('/api/payout/create', bytes, { ...headers, 'idempotency-key': key });
}
