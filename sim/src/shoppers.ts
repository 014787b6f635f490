// Merchants that want something sold, and payers who pay it rightly, wrongly, late or twice.
import type { Currency } from '@ducat/core/chain/currency';
import { decimalText } from './auditor.ts';
import { type CastApp, UNKNOWN_CURRENCY } from './cast.ts';
import type { Chance } from './chance.ts';
import type { Movement } from './nodes/sim-block.ts';
import type { SimChain } from './sim-chain.ts';

/** What a merchant wants sold. */
export interface Wish {
  readonly app: CastApp;
  readonly outTradeNo: string;
  readonly chain: SimChain;
  readonly currency: Currency;
  /** The price in tokens, or null where it is in dollars. */
  readonly tokenAmount: string | null;
  readonly fiatAmount: string | null;
  readonly lifeS: number;
  /** The expiries that were asked for, newest last: another one is another order, so a merchant keeps to his. */
  readonly timeOuts: number[];
}

/** An order as the merchant was told of it; nothing here was read from the database by the simulator. */
export interface ToldOrder {
  readonly wish: Wish;
  readonly tradeNo: string;
  readonly address: string;
  /** What the answer asks for, in base units. */
  readonly units: bigint;
  readonly createTime: number;
  readonly timeExpire: number;
  readonly toldAtStep: number;
}

export function drawWish(
  chance: Chance,
  number: number,
  apps: readonly CastApp[],
  chains: readonly SimChain[],
): Wish {
  const chain = chance.pick(chains);
  const currency = chance.pick(chain.definition.currencies);
  const units = BigInt(chance.between(1, 20_000)) * BigInt(chance.pick([1, 1_000_000]));
  const isFiat = chance.hits(0.3);
  return {
    app: chance.pick(apps),
    outTradeNo: `order-${number}`,
    chain,
    currency,
    tokenAmount: isFiat ? null : decimalText(units, currency.decimals),
    fiatAmount: isFiat ? `${chance.between(1, 900)}.${chance.between(10, 99)}` : null,
    lifeS: chance.between(95, 170),
    timeOuts: [],
  };
}

/** A payment on its way: when the payer sends it, and where. */
export interface Payment {
  readonly atMs: number;
  readonly chain: SimChain;
  readonly movements: readonly Movement[];
  readonly failed: boolean;
}

export const manners = [
  'exact',
  'parts',
  'under',
  'over',
  'twice',
  'late',
  'nothing',
  'wrong token',
  'wrong chain',
  'noise',
  'through a contract',
  'many at once',
] as const;

export type Manner = (typeof manners)[number];

const WEIGHTS: Readonly<Record<Manner, number>> = {
  exact: 6,
  parts: 5,
  under: 3,
  over: 2,
  twice: 3,
  late: 3,
  nothing: 1,
  'wrong token': 2,
  'wrong chain': 2,
  noise: 5,
  'through a contract': 3,
  'many at once': 2,
};

export const PAYER = `0x${'aa'.repeat(20)}`;
const STRANGER = `0x${'bb'.repeat(20)}`;

export interface DrawnPayments {
  readonly manner: Manner;
  readonly payments: readonly Payment[];
}

/** How this order will be paid. Returns the payments and the manner, for the story. */
export function drawPayments(
  chance: Chance,
  order: ToldOrder,
  chains: readonly SimChain[],
  nowMs: number,
): DrawnPayments {
  const manner = chance.weighted(manners.map((one) => [one, WEIGHTS[one]] as const));
  return { manner, payments: paymentsOf(manner, chance, order, chains, nowMs) };
}

interface Payer {
  readonly chance: Chance;
  readonly order: ToldOrder;
  readonly chains: readonly SimChain[];
  readonly nowMs: number;
}

function movementTo({ order }: Payer, units: bigint, change: Partial<Movement> = {}): Movement {
  const { currencyId } = order.wish.currency;
  return { currencyId, from: PAYER, to: order.address, units, ...change };
}

/** One transaction, some time before the expiry. */
function send(payer: Payer, movements: readonly Movement[], change: Partial<Payment> = {}): Payment {
  const { chain, lifeS } = payer.order.wish;
  const atMs = payer.nowMs + payer.chance.between(0, lifeS * 700);
  return { atMs, chain, movements, failed: false, ...change };
}

export function paymentsOf(
  manner: Manner,
  chance: Chance,
  order: ToldOrder,
  chains: readonly SimChain[],
  nowMs: number,
): readonly Payment[] {
  const payer = { chance, order, chains, nowMs };
  const { units } = order;
  const pay = (amount: bigint, change: Partial<Payment> = {}, movement: Partial<Movement> = {}): Payment =>
    send(payer, [movementTo(payer, amount, movement)], change);
  const part = (units * BigInt(chance.between(1, 99))) / 100n;
  switch (manner) {
    case 'exact':
      return [pay(units)];
    case 'parts':
      return split(chance, units).map((amount) => pay(amount));
    case 'under':
      return [pay(tooLittle(payer))];
    case 'over':
      return [pay(units + part + 1n)];
    case 'twice':
      return [pay(units), pay(units)];
    case 'late':
      return [pay(part), pay(units, { atMs: order.timeExpire * 1000 + chance.between(-15_000, 40_000) })];
    case 'nothing':
      return [];
    case 'wrong token':
      return [pay(units, {}, { currencyId: chance.pick(otherTokens(order)) })];
    case 'wrong chain':
      return onAnotherChain(payer);
    case 'noise':
      return noise(payer);
    case 'through a contract':
      return throughContract(payer, part);
    case 'many at once':
      return [
        send(
          payer,
          [...split(chance, units), 1n].map((amount) => movementTo(payer, amount)),
        ),
      ];
  }
}

/** Mostly far too little; else just what the app forgives, or one unit less than that. */
function tooLittle({ chance, order }: Payer): bigint {
  const { units, wish } = order;
  const forgiven = (units * BigInt(wish.app.tolerancePpm)) / 1_000_000n;
  return chance.pick([
    units - 1n - (units - 1n) / BigInt(chance.between(2, 60)),
    units - forgiven,
    units - forgiven - 1n,
  ]);
}

function otherTokens({ wish }: ToldOrder): readonly number[] {
  const ids = wish.chain.definition.currencies.map(({ currencyId }) => currencyId);
  return ids.filter((id) => id !== wish.currency.currencyId);
}

/** An address of one family means nothing on another, so only chains of the same one are taken. */
function onAnotherChain(payer: Payer): readonly Payment[] {
  const { chance, order, chains } = payer;
  const { chain } = order.wish;
  const { family } = chain.definition;
  const other = chains.find((one) => one !== chain && one.definition.family === family);
  if (other === undefined) return [];
  const { currencyId } = chance.pick(other.definition.currencies);
  return [send(payer, [movementTo(payer, order.units, { currencyId })], { chain: other })];
}

/** A contract pays somebody else, tries to pay the order and takes it back, and then pays it. */
function throughContract(payer: Payer, part: bigint): readonly Payment[] {
  const { units } = payer.order;
  const trap = movementTo(payer, units, { isTrap: true });
  return [send(payer, [movementTo(payer, part, { to: STRANGER }), trap, movementTo(payer, units)])];
}

/** What looks like a payment and is none, and then the payment. */
function noise(payer: Payer): readonly Payment[] {
  const { units } = payer.order;
  const whole = movementTo(payer, units);
  return [
    send(payer, [whole], { failed: true }),
    send(payer, [movementTo(payer, 0n)]),
    send(payer, [movementTo(payer, units, { currencyId: UNKNOWN_CURRENCY })]),
    send(payer, [movementTo(payer, units, { isTrap: true }), movementTo(payer, 1n, { to: STRANGER })]),
    send(payer, [whole]),
  ];
}

/** Two to four amounts that sum up to the whole. */
function split(chance: Chance, units: bigint): readonly bigint[] {
  const share = units / BigInt(chance.between(2, 5));
  const parts = Array.from({ length: chance.between(1, 3) }, () => share);
  const rest = units - share * BigInt(parts.length);
  return rest > 0n ? [...parts, rest] : [units];
}
