// Merchants that ask for orders until they are told one, and payers who pay them rightly, wrongly, late or twice.
import type { Currency } from '@ducat/core/chain/currency';
import { amountOf } from '@ducat/core/money/amount';
import { createOrder } from '@ducat/gateway/flows/create-order';
import { fillAddressPool } from '@ducat/gateway/flows/fill-address-pool';
import type { FakeMovement } from '@ducat/gateway/chains/fake/fake-ledger';
import { ID_RANDOM_BYTES, tradeNo } from '@ducat/gateway/ids';
import { Outage } from '@ducat/gateway/outage';
import type { OrderDetail } from '@ducat/gateway/store/orders';
import type { Reader, Transact } from '@ducat/gateway/store/tx';
import { unixTime, type World } from '@ducat/gateway/world';
import { type CastApp, simAddress, UNKNOWN_CURRENCY } from './cast.ts';
import type { Chance } from './chance.ts';
import type { SimChain } from './sim-chain.ts';

/** What a merchant wants sold. */
export interface Wish {
  readonly app: CastApp;
  readonly outTradeNo: string;
  readonly chain: SimChain;
  readonly currency: Currency;
  readonly units: bigint;
  readonly lifeS: number;
}

/** An order as the merchant was told of it; nothing here was read from the database by the simulator. */
export interface ToldOrder {
  readonly wish: Wish;
  readonly tradeNo: string;
  readonly address: string;
  readonly createTime: number;
  readonly timeExpire: number;
  readonly toldAtStep: number;
}

export interface ApiParts {
  readonly transact: Transact;
  readonly reader: Reader;
  readonly world: World;
}

export const POOL_SIZE = 5;
const MAX_POOL_ROUNDS = 5;

export function drawWish(
  chance: Chance,
  number: number,
  apps: readonly CastApp[],
  chains: readonly SimChain[],
): Wish {
  const chain = chance.pick(chains);
  return {
    app: chance.pick(apps),
    outTradeNo: `order-${number}`,
    chain,
    currency: chance.pick(chain.definition.currencies),
    units: BigInt(chance.between(1, 20_000)) * BigInt(chance.pick([1, 1_000_000])),
    lifeS: chance.between(60, 160),
  };
}

/** Asks as the API does: the flow that production runs, with a fresh trade_no at every call. Null after an outage. */
export async function askForOrder(
  { transact, reader, world }: ApiParts,
  wish: Wish,
): Promise<OrderDetail | null> {
  const { app, chain, currency, units, lifeS } = wish;
  const { name, family } = chain.definition;
  const now = unixTime(world);
  const { currencyId } = currency;
  const order = {
    tradeNo: tradeNo(world.nowMs(), world.random(ID_RANDOM_BYTES)),
    appId: app.appId,
    outTradeNo: wish.outTradeNo,
    inputHash: wish.outTradeNo,
    mode: 'NATIVE' as const,
    chain: name,
    family,
    currencyId,
    terms: { due: amountOf(currencyId, units), collected: amountOf(currencyId, 0n), timeExpire: now + lifeS },
    tolerancePpm: BigInt(app.tolerancePpm),
    fiatName: null,
    fiatAmount: null,
    quote: null,
    callbackUrl: null,
    redirectUrl: null,
    createTime: now,
  };
  try {
    for (let round = 0; round < MAX_POOL_ROUNDS; round++) {
      const created = await createOrder(transact, reader, order);
      if (created.outcome !== 'pool-empty') return created.order;
      const input = { appId: app.appId, family, derive: simAddress, target: POOL_SIZE };
      await transact((tx) => fillAddressPool(tx, input));
    }
    return null;
  } catch (error) {
    if (error instanceof Outage) return null;
    throw error;
  }
}

/** A payment on its way: when the payer sends it, and where. */
export interface Payment {
  readonly atMs: number;
  readonly chain: SimChain;
  readonly movement: FakeMovement;
  readonly failed: boolean;
}

type Manner =
  | 'exact'
  | 'parts'
  | 'under'
  | 'over'
  | 'twice'
  | 'late'
  | 'nothing'
  | 'wrong token'
  | 'wrong chain'
  | 'noise';

const MANNERS: readonly (readonly [Manner, number])[] = [
  ['exact', 6],
  ['parts', 5],
  ['under', 3],
  ['over', 2],
  ['twice', 3],
  ['late', 3],
  ['nothing', 1],
  ['wrong token', 2],
  ['wrong chain', 2],
  ['noise', 2],
];

/** How this order will be paid. Returns the payments and the manner, for the story. */
export function drawPayments(
  chance: Chance,
  order: ToldOrder,
  chains: readonly SimChain[],
  nowMs: number,
): { readonly manner: Manner; readonly payments: readonly Payment[] } {
  const { chain, currency, units, lifeS } = order.wish;
  const { currencyId } = currency;
  const manner = chance.weighted(MANNERS);
  const soon = (): number => nowMs + chance.between(0, lifeS * 700);
  const pay = (amount: bigint, change: Partial<Payment> = {}, paid = currencyId): Payment => ({
    atMs: soon(),
    chain,
    movement: { currencyId: paid, from: '0xpayer', to: order.address, units: amount },
    failed: false,
    ...change,
  });
  const part = (units * BigInt(chance.between(1, 99))) / 100n;
  const other = (list: readonly number[]): number => chance.pick(list.filter((id) => id !== currencyId));
  const otherChain = chain === chains[0] ? chains[1] : chains[0];
  const byManner: Readonly<Record<Manner, () => readonly Payment[]>> = {
    exact: () => [pay(units)],
    parts: () => split(chance, units).map((amount) => pay(amount)),
    under: () => [pay(units - 1n - (units - 1n) / BigInt(chance.between(2, 60)))],
    over: () => [pay(units + part + 1n)],
    twice: () => [pay(units), pay(units)],
    late: () => [pay(part), pay(units, { atMs: order.timeExpire * 1000 + chance.between(-15_000, 40_000) })],
    nothing: () => [],
    'wrong token': () => [
      pay(units, {}, other(chain.definition.currencies.map((known) => known.currencyId))),
    ],
    'wrong chain': () =>
      otherChain === undefined
        ? []
        : [pay(units, { chain: otherChain }, chance.pick(otherChain.definition.currencies).currencyId)],
    noise: () => [pay(units, { failed: true }), pay(0n), pay(units, {}, UNKNOWN_CURRENCY), pay(units)],
  };
  return { manner, payments: byManner[manner]() };
}

/** Two to four amounts that sum up to the whole. */
function split(chance: Chance, units: bigint): readonly bigint[] {
  const share = units / BigInt(chance.between(2, 5));
  const parts = Array.from({ length: chance.between(1, 3) }, () => share);
  const rest = units - share * BigInt(parts.length);
  return rest > 0n ? [...parts, rest] : [units];
}
