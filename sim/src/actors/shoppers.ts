// Orders as merchants were told of them, and payers who pay what was told rightly, wrongly, late or twice.
import type { Currency } from '@ducat/core/chain/currency';
import { unitsOfText } from '../auditor.ts';
import { UNKNOWN_CURRENCY } from './cast.ts';
import type { Chance } from '../world/chance.ts';
import type { Movement } from '../nodes/sim-block.ts';
import type { OrderAnswer } from './sim-api.ts';
import type { SimChain } from '../nodes/sim-chain.ts';
import type { Wish } from './wishes.ts';

/** An order as the merchant was told of it; nothing here was read from the database by the simulator. */
export interface ToldOrder {
  readonly wish: Wish;
  readonly answer: OrderAnswer;
  readonly tradeNo: string;
  readonly address: string;
  /** Where the answer says that the payer has to pay, and in which currency. */
  readonly chain: SimChain;
  readonly currencyId: number;
  /** What the answer asks for, in base units. */
  readonly units: bigint;
  readonly createTime: number;
  readonly timeExpire: number;
  readonly toldAtStep: number;
}

/** Reads an answer as a payer does: by the texts in it. What they do not name is taken from the request. */
export function readAnswer(
  answer: OrderAnswer,
  wish: Wish,
  chains: readonly SimChain[],
  toldAtStep: number,
): ToldOrder {
  const chain = chains.find(({ definition }) => definition.name === answer.chain) ?? wish.chain;
  const named = chain.definition.currencies.find((one) => contractOf(one) === answer.contract);
  return {
    wish,
    answer,
    tradeNo: answer.trade_no,
    address: answer.pay_address,
    chain,
    currencyId: (named ?? wish.currency).currencyId,
    units: unitsOfText(answer.amount, answer.decimal),
    createTime: answer.create_time,
    timeExpire: answer.time_expire,
    toldAtStep,
  };
}

/** As the contract tells merchants: the coin of a chain has none, and its symbol stands there instead. */
export function contractOf({ contract, symbol }: Currency): string {
  return contract ?? symbol;
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
  const { currencyId } = order;
  return { currencyId, from: PAYER, to: order.address, units, ...change };
}

/** One transaction, some time before the expiry. */
function send(payer: Payer, movements: readonly Movement[], change: Partial<Payment> = {}): Payment {
  const { chain, wish } = payer.order;
  const atMs = payer.nowMs + payer.chance.between(0, wish.lifeS * 700);
  return { atMs, chain, movements, failed: false, ...change };
}

/** Around the expiry, and sometimes again while maintenance may be timing the order out. */
function latePayments({ chance, order }: Payer): readonly number[] {
  const expiryMs = order.timeExpire * 1000;
  const first = expiryMs + chance.between(-15_000, 40_000);
  const more = chance.hits(0.5) ? chance.between(1, 5) : 0;
  return [first, ...Array.from({ length: more }, () => first + chance.between(5_000, 60_000))];
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
      return [pay(part), ...latePayments(payer).map((atMs) => pay(units, { atMs }))];
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

function otherTokens(order: ToldOrder): readonly number[] {
  const ids = order.chain.definition.currencies.map(({ currencyId }) => currencyId);
  return ids.filter((id) => id !== order.currencyId);
}

/** An address of one family means nothing on another, so only chains of the same one are taken. */
function onAnotherChain(payer: Payer): readonly Payment[] {
  const { chance, order, chains } = payer;
  const { chain } = order;
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
