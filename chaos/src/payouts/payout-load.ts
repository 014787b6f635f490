// The load of a run of payouts: customers whose orders bring the money, and merchants who pay it out again.
import { Ducat } from '@ducat/sdk';
import { startForks } from '../chains/forks.ts';
import type { Chain, Coin } from '../chains/chain.ts';
import type { Chance } from '../chance.ts';
import { askPayout, freshRecipient } from './ask-payout.ts';
import type { AskedPayout } from './compare-payouts.ts';
import type { PayoutStage } from './payout-stage.ts';

/** Loops of each shop, and the longest pause between two payouts of one loop. */
const LOOPS_PER_SHOP = 3;
const PAUSE_MS = 1_600;
/** The pause between two orders of all shops together, once each shop has had an order in each coin. */
const ORDER_EVERY_MS = 2_500;

/** Hundredths of a coin or token: what an order brings, and the most that a payout takes. */
const SIZES = {
  native: { order: 300, payout: 10 },
  trx: { order: 60_000, payout: 900 },
  token: { order: 60_000, payout: 900 },
};

export interface PayoutLoad {
  readonly asked: AskedPayout[];
  /** When a payout was acknowledged, by the run's clock, and under which number. */
  readonly answered: readonly { readonly atMs: number; readonly tradeNo: string }[];
  readonly counts: { refused: number; repeated: number; orders: number; unpaid: number };
  /** Starts no more payouts, orders and forks; resolves when every request has its answer. */
  stop(): Promise<void>;
}

interface Shop {
  readonly appId: string;
  readonly client: Ducat;
}

/** What all loops of a load share. */
interface Loop {
  readonly chains: readonly Chain[];
  readonly shops: readonly Shop[];
  readonly asked: AskedPayout[];
  readonly answered: { atMs: number; tradeNo: string }[];
  readonly counts: PayoutLoad['counts'];
  readonly signal: AbortSignal;
  readonly onWrong: (what: string) => void;
}

/** Starts the load of all apps but the last, which has the races. `onWrong` is called with answers no merchant may get. */
export function startPayoutLoad(
  { apps, apiUrl, chains }: PayoutStage,
  chance: Chance,
  onWrong: (what: string) => void,
): PayoutLoad {
  const stopping = new AbortController();
  const shops = apps.slice(0, -1).map(({ appId, appKey }) => {
    return { appId, client: new Ducat({ baseUrl: apiUrl, appId, appKey, timeoutMs: 8_000, maxRetries: 0 }) };
  });
  const counts = { refused: 0, repeated: 0, orders: 0, unpaid: 0 };
  const loop: Loop = { chains, shops, asked: [], answered: [], counts, signal: stopping.signal, onWrong };
  const forks = startForks(chains, chance.split('forks'));
  const merchants = shops.flatMap((shop, place) =>
    Array.from({ length: LOOPS_PER_SHOP }, (_, number) => {
      const name = `payout-${place}-${number}`;
      return runPayingMerchant(loop, shop, name, chance.split(name));
    }),
  );
  const loops = [runCustomers(loop, chance.split('customers')), ...merchants].map((running) =>
    running.catch((error: unknown) => onWrong(String(error))),
  );
  const { asked, answered } = loop;
  return {
    asked,
    answered,
    counts,
    stop: async () => {
      stopping.abort();
      await Promise.all(loops);
      await forks.stop();
    },
  };
}

async function runCustomers({ chains, shops, counts, signal }: Loop, chance: Chance): Promise<void> {
  const first = shops.flatMap((shop) =>
    chains.flatMap((chain) => chain.coins.map((coin) => ({ shop, chain, coin }))),
  );
  for (let number = 0; !signal.aborted; number += 1) {
    const chain = chance.pick(chains);
    const next = first[number] ?? { shop: chance.pick(shops), chain, coin: chance.pick(chain.coins) };
    try {
      await buy(next.shop.client, { ...next, number: `order-${number}`, chance });
      counts.orders += 1;
    } catch {
      // The customer gives up. This happens while the database is away, or after a fork.
      counts.unpaid += 1;
    }
    if (number >= first.length) await pause(ORDER_EVERY_MS, signal);
  }
}

async function runPayingMerchant(
  { chains, asked, answered, counts, signal, onWrong }: Loop,
  { appId, client }: Shop,
  name: string,
  chance: Chance,
): Promise<void> {
  for (let number = 1; !signal.aborted; number += 1) {
    const chain = chance.pick(chains);
    const coin = chance.pick(chain.coins);
    const amount = amountText(1 + chance.int(sizesOf(chain, coin).payout));
    const key = `${name}-${number}`;
    const question = { appId, key, chain, coin, amount, to: freshRecipient(chain, chance) };
    const made = await askPayout(client, question);
    asked.push(made);
    if (made.tradeNo === null) counts.refused += 1;
    else answered.push({ atMs: performance.now(), tradeNo: made.tradeNo });
    if (made.tradeNo !== null && chance.happens(0.15)) {
      counts.repeated += 1;
      const again = await askPayout(client, question);
      if (again.tradeNo !== made.tradeNo) onWrong(`${key} is ${made.tradeNo} and then ${again.tradeNo}`);
    }
    await pause(chance.int(PAUSE_MS), signal);
  }
}

interface Purchase {
  readonly chain: Chain;
  readonly coin: Coin;
  readonly number: string;
  readonly chance: Chance;
}

async function buy(client: Ducat, { chain, coin, number, chance }: Purchase): Promise<void> {
  const hundredths = sizesOf(chain, coin).order + chance.int(100);
  const order = await client.orders.create({
    out_trade_no: number,
    currency_id: coin.currencyId,
    token_amount: amountText(hundredths),
  });
  const units = BigInt(hundredths) * 10n ** BigInt(coin.decimals - 2);
  await chain.pay(coin, order.pay_address, units, chance);
}

function sizesOf(chain: Chain, { contract }: Coin): { readonly order: number; readonly payout: number } {
  if (contract !== null) return SIZES.token;
  return chain.family === 'tron' ? SIZES.trx : SIZES.native;
}

function amountText(hundredths: number): string {
  return `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, '0')}`;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(done, ms);
    function done() {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done, { once: true });
  });
}
