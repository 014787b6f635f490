// The people who pay the orders of a run: exactly, in parts, too much, too little, late, twice, in another coin, never.
import type { Chain, Coin } from '../chains/chain.ts';
import type { Chance } from '../chance.ts';
import type { Acknowledged } from './merchant.ts';

/** The ways in which an order is paid, with their weights. */
const habits = { exact: 45, parts: 12, over: 8, under: 6, twice: 8, late: 8, other: 4, never: 9 };

export type Habit = keyof typeof habits;

export interface Payers {
  /** An order was shown to a payer, who will pay it in their own way. */
  shown(order: Acknowledged): void;
  /** Transactions that the nodes accepted. */
  readonly sent: () => number;
  /** How often a node refused a transaction or did not answer, and its last error. */
  readonly refused: () => number;
  readonly lastRefusal: () => string | null;
  readonly habits: Readonly<Record<Habit, number>>;
  /** Ends all payments; resolves when the current ones are sent. */
  stop(): Promise<void>;
}

interface Payment {
  readonly chain: Chain;
  readonly coin: Coin;
  readonly to: string;
  readonly units: bigint;
  /** The payment waits until the chain's newest block has this time, in Unix seconds. */
  readonly after: number;
}

const ROUND_MS = 200;
const MAX_WAITING = 5_000;

/**
 * Lets the payers pay until stopped. A payment that the node refuses, as after a fork, is counted and not repeated: real
 * payers give up, too.
 */
export function startPayers(chance: Chance): Payers {
  const counts: Record<Habit, number> = {
    exact: 0,
    parts: 0,
    over: 0,
    under: 0,
    twice: 0,
    late: 0,
    other: 0,
    never: 0,
  };
  let waiting: Payment[] = [];
  let sent = 0;
  let refused = 0;
  let lastRefusal: string | null = null;
  let stopped = false;
  const wasRefused = (error: unknown) => {
    refused += 1;
    lastRefusal = error instanceof Error ? error.message : String(error);
  };
  const round = async () => {
    const now = new Map<Chain, number>();
    for (const chain of new Set(waiting.map((payment) => payment.chain)))
      now.set(chain, (await chain.head()).timestamp);
    const due = waiting.filter(({ chain, after }) => after <= (now.get(chain) ?? 0));
    waiting = waiting.filter((payment) => !due.includes(payment));
    // Payments on one chain are sent one after the other. No chain waits for another.
    await Promise.all(
      [...now.keys()].map((chain) => payAll(due.filter((payment) => payment.chain === chain))),
    );
  };
  const payAll = async (due: readonly Payment[]) => {
    for (const { chain, coin, to, units } of due) {
      await chain.pay(coin, to, units, chance).then(() => void (sent += 1), wasRefused);
    }
  };
  const work = async () => {
    while (!stopped) {
      await round().catch(wasRefused);
      await new Promise((resolve) => setTimeout(resolve, ROUND_MS));
    }
  };
  const done = work();
  return {
    habits: counts,
    sent: () => sent,
    refused: () => refused,
    lastRefusal: () => lastRefusal,
    shown: (order) => {
      const habit = chance.weighted(habits);
      counts[habit] += 1;
      if (waiting.length < MAX_WAITING) waiting.push(...paymentsFor(order, habit, chance));
    },
    stop: () => {
      stopped = true;
      return done;
    },
  };
}

function paymentsFor(order: Acknowledged, habit: Habit, chance: Chance): readonly Payment[] {
  const { chain, coin, address: to, units } = order;
  const whole: Payment = { chain, coin, to, units, after: 0 };
  const first = units / 3n;
  const other = chance.pick(chain.coins.filter(({ currencyId }) => currencyId !== coin.currencyId));
  const ways: Readonly<Record<Habit, readonly Payment[]>> = {
    exact: [whole],
    parts: [
      { ...whole, units: first },
      { ...whole, units: units - first, after: order.timeExpire - 60 },
    ],
    over: [{ ...whole, units: (units * 3n) / 2n }],
    under: [{ ...whole, units: units - 1n }],
    twice: [whole, whole],
    late: [{ ...whole, after: order.timeExpire + 1 }],
    other: [{ ...whole, coin: other }],
    never: [],
  };
  return ways[habit];
}
