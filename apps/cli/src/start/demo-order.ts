// Demo orders, opened as a shop would open them: the order whose link the start prints, and those of the sandbox panel.
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { Ducat } from '@ducat/sdk';
import type { OrderRequest } from '../faucet/faucet-request.ts';
import type { DemoShop } from './demo-shop.ts';

/** Long enough that a demo that runs overnight still has its page. */
const OPEN_S = 7 * 24 * 60 * 60;
const PATIENT_MS = 20_000;

/** Opens an order and returns the address of its page. Waits for the first currencies, which are on within seconds. */
export async function openDemoOrder(
  baseUrl: string,
  { appId, appKey }: DemoShop,
  { seconds, currencyId }: OrderRequest = { seconds: OPEN_S, currencyId: null },
): Promise<string> {
  const { orders } = new Ducat({ baseUrl, appId, appKey });
  const nowMs = Date.now();
  const order = {
    // Unique, and short enough to be read out.
    out_trade_no: `T-${nowMs.toString(36).toUpperCase()}`,
    fiat_name: 'EUR',
    fiat_amount: '23.40',
    subject: 'Two tins of tea',
    time_out: Math.floor(nowMs / 1_000) + seconds,
    ...(currencyId === null ? {} : { currency_id: currencyId }),
  } as const;
  const opened = await waitUntil(
    'the first currency to be on',
    () => orders.preCreate(order).catch(() => false as const),
    { timeoutMs: PATIENT_MS },
  );
  return opened.entrust_url;
}
