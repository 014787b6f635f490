// Orders as the API answered them, and their payers, who pay rightly, wrongly, late or twice.
import type { Currency } from '@ducat/core/chain/currency';
import { unitsOfText } from '../auditor.ts';
import { UNKNOWN_CURRENCY } from './setup.ts';
import type { Chance } from '../world/chance.ts';
import type { ValueTransfer } from '../nodes/sim-block.ts';
import type { OrderAnswer } from './sim-api.ts';
import type { SimChain } from '../nodes/sim-chain.ts';
import type { OrderPlan } from './order-plans.ts';

/** An order as the API answered it to the merchant; nothing here was read from the database by the simulator. */
export interface AnsweredOrder {
  readonly plan: OrderPlan;
  readonly answer: OrderAnswer;
  readonly tradeNo: string;
  readonly address: string;
  /** The chain and the currency in which the answer asks the payer to pay. */
  readonly chain: SimChain;
  readonly currencyId: number;
  /** What the answer asks for, in base units. */
  readonly units: bigint;
  readonly createTime: number;
  readonly timeExpire: number;
  readonly answeredAtStep: number;
}

/** Reads an answer as a payer does, by its texts. A chain or contract that is not known is taken from the request. */
export function readAnswer(
  answer: OrderAnswer,
  plan: OrderPlan,
  chains: readonly SimChain[],
  answeredAtStep: number,
): AnsweredOrder {
  const chain = chains.find(({ definition }) => definition.name === answer.chain) ?? plan.chain;
  const named = chain.definition.currencies.find((one) => contractOf(one) === answer.contract);
  return {
    plan,
    answer,
    tradeNo: answer.trade_no,
    address: answer.pay_address,
    chain,
    currencyId: (named ?? plan.currency).currencyId,
    units: unitsOfText(answer.amount, answer.decimal),
    createTime: answer.create_time,
    timeExpire: answer.time_expire,
    answeredAtStep,
  };
}

/** The contract as the API names it: the coin of a chain has none, and its symbol stands there instead. */
export function contractOf({ contract, symbol }: Currency): string {
  return contract ?? symbol;
}

/** A payment to come: when the payer sends it, and on which chain. */
export interface Payment {
  readonly atMs: number;
  readonly chain: SimChain;
  readonly valueTransfers: readonly ValueTransfer[];
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
  order: AnsweredOrder,
  chains: readonly SimChain[],
  nowMs: number,
): DrawnPayments {
  const manner = chance.weighted(manners.map((one) => [one, WEIGHTS[one]] as const));
  return { manner, payments: paymentsOf(manner, chance, order, chains, nowMs) };
}

interface Payer {
  readonly chance: Chance;
  readonly order: AnsweredOrder;
  readonly chains: readonly SimChain[];
  readonly nowMs: number;
}

function valueTransferTo(
  { order }: Payer,
  units: bigint,
  change: Partial<ValueTransfer> = {},
): ValueTransfer {
  const { currencyId } = order;
  return { currencyId, from: PAYER, to: order.address, units, ...change };
}

/** One transaction, some time before the expiry. */
function send(
  payer: Payer,
  valueTransfers: readonly ValueTransfer[],
  change: Partial<Payment> = {},
): Payment {
  const { chain, plan } = payer.order;
  const atMs = payer.nowMs + payer.chance.between(0, plan.lifeS * 700);
  return { atMs, chain, valueTransfers, failed: false, ...change };
}

/** The times of late payments: one around the expiry, and sometimes more while maintenance may be timing the order out. */
function latePayments({ chance, order }: Payer): readonly number[] {
  const expiryMs = order.timeExpire * 1000;
  const first = expiryMs + chance.between(-15_000, 40_000);
  const more = chance.hits(0.5) ? chance.between(1, 5) : 0;
  return [first, ...Array.from({ length: more }, () => first + chance.between(5_000, 60_000))];
}

export function paymentsOf(
  manner: Manner,
  chance: Chance,
  order: AnsweredOrder,
  chains: readonly SimChain[],
  nowMs: number,
): readonly Payment[] {
  const payer = { chance, order, chains, nowMs };
  const { units } = order;
  const pay = (
    amount: bigint,
    change: Partial<Payment> = {},
    valueTransfer: Partial<ValueTransfer> = {},
  ): Payment => send(payer, [valueTransferTo(payer, amount, valueTransfer)], change);
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
          [...split(chance, units), 1n].map((amount) => valueTransferTo(payer, amount)),
        ),
      ];
  }
}

/** Too little by a random share, or just what the app's tolerance forgives, or one unit less than that. */
function tooLittle({ chance, order }: Payer): bigint {
  const { units, plan } = order;
  const forgiven = (units * BigInt(plan.app.tolerancePpm)) / 1_000_000n;
  return chance.pick([
    units - 1n - (units - 1n) / BigInt(chance.between(2, 60)),
    units - forgiven,
    units - forgiven - 1n,
  ]);
}

function otherTokens(order: AnsweredOrder): readonly number[] {
  const ids = order.chain.definition.currencies.map(({ currencyId }) => currencyId);
  return ids.filter((id) => id !== order.currencyId);
}

/** An address of one family means nothing on chains of another, so only a chain of the same family is taken. */
function onAnotherChain(payer: Payer): readonly Payment[] {
  const { chance, order, chains } = payer;
  const { chain } = order;
  const { family } = chain.definition;
  const other = chains.find((one) => one !== chain && one.definition.family === family);
  if (other === undefined) return [];
  const { currencyId } = chance.pick(other.definition.currencies);
  return [send(payer, [valueTransferTo(payer, order.units, { currencyId })], { chain: other })];
}

/** A contract pays a stranger, pays the order in a call that is reverted, and then pays the order. */
function throughContract(payer: Payer, part: bigint): readonly Payment[] {
  const { units } = payer.order;
  const trap = valueTransferTo(payer, units, { isTrap: true });
  return [send(payer, [valueTransferTo(payer, part, { to: STRANGER }), trap, valueTransferTo(payer, units)])];
}

/** Transactions that look like the payment and are none, and then the payment. */
function noise(payer: Payer): readonly Payment[] {
  const { units } = payer.order;
  const whole = valueTransferTo(payer, units);
  return [
    send(payer, [whole], { failed: true }),
    send(payer, [valueTransferTo(payer, 0n)]),
    send(payer, [valueTransferTo(payer, units, { currencyId: UNKNOWN_CURRENCY })]),
    send(payer, [
      valueTransferTo(payer, units, { isTrap: true }),
      valueTransferTo(payer, 1n, { to: STRANGER }),
    ]),
    send(payer, [whole]),
  ];
}

/** Up to four amounts that sum up to the whole. */
function split(chance: Chance, units: bigint): readonly bigint[] {
  const share = units / BigInt(chance.between(2, 5));
  const parts = Array.from({ length: chance.between(1, 3) }, () => share);
  const rest = units - share * BigInt(parts.length);
  return rest > 0n ? [...parts, rest] : [units];
}
