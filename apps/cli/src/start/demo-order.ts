// The order whose page the start prints a link to: opened as a shop would, payable with coins without worth.
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { Ducat } from '@ducat/sdk';
import type { DemoShop } from './demo-shop.ts';

/** A demo that runs over night still has its page. */
const OPEN_S = 7 * 24 * 60 * 60;
const PATIENT_MS = 20_000;

/** The address of its page; a new one at each start. The first currencies are on within seconds. */
export async function openDemoOrder(baseUrl: string, { appId, appKey }: DemoShop): Promise<string> {
  const { orders } = new Ducat({ baseUrl, appId, appKey });
  const now = Math.floor(Date.now() / 1_000);
  const order = {
    // Unique at each start, and short enough to be read out.
    out_trade_no: `T-${now.toString(36).toUpperCase()}`,
    fiat_name: 'EUR',
    fiat_amount: '23.40',
    subject: 'Two tins of tea',
    time_out: now + OPEN_S,
  } as const;
  const opened = await waitUntil(
    'the first currency to be on',
    () => orders.preCreate(order).catch(() => false as const),
    { timeoutMs: PATIENT_MS },
  );
  return opened.entrust_url;
}
