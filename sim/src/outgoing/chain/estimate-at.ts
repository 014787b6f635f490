// What a node of a simulated chain says that a transfer would cost, by the balances of the block that it shows.
import { type ChainDefinition, nativeCurrency } from '@ducat/core/chain/chain';
import { type Amount, amountOf, type CurrencyId, unitsOf } from '@ducat/core/money/amount';
import type { SendingTerms } from '@ducat/core/outgoing/terms';
import type { Delegation } from '@ducat/core/outgoing/delegation';
import type { Sweeping } from '@ducat/core/signing/transfer-intent';
import type { PlannedTransfer, Shortage, TransferEstimate } from '@ducat/gateway/chains/port/writer';
import { balanceAt, type SimBlock } from '../../nodes/sim-block.ts';
import type { FeeMarket } from './fee-market.ts';
import { groundAt } from './ground.ts';
import { delegationProblem, gasOf, resourcesOf } from './sending-rules.ts';
import { sweepingGas } from './sweeping.ts';
import { DELEGATION_SUN, delegatedBy, energyOf, freeOf, SUN_PER_ENERGY, transactionsUpTo } from './stake.ts';

/** The energy that is allowed for, in percent of the energy that a transfer takes. */
const MARGIN = 130n;

/** Sun of stake that brings the energy of one token transfer. */
export const STAKE_OF_A_TRANSFER = ((resourcesOf('token').energy * MARGIN) / 100n) * SUN_PER_ENERGY;

interface Costs {
  readonly expected: bigint;
  readonly most: bigint;
  readonly terms: SendingTerms;
}

export function estimateAt(
  definition: ChainDefinition,
  market: FeeMarket,
  tip: SimBlock,
  transfer: PlannedTransfer,
): TransferEstimate {
  const { from, currency, amount, delegation = null, sweeping = null, offerOf = null } = transfer;
  const { currencyId: nativeId } = nativeCurrency(definition);
  const delegated = delegatedBy(definition.family === 'tron' ? transactionsUpTo(tip) : []);
  if (delegation !== null) return delegationAt(market, delegated, { ...transfer, delegation }, nativeId);
  if (sweeping !== null) return sweepingAt(definition, market, tip, { ...transfer, sweeping });
  const { expected, most, terms } =
    definition.family === 'evm'
      ? evmCosts(definition, market, gasOf(currency.contract), currency.contract !== null)
      : tronCosts(market, currency.contract, energyOf(delegated, from));
  const isNative = currency.contract === null;
  const shortOf: Shortage[] = [];
  const needs = (needed: Amount): void => {
    const held = balanceAt(tip, from, needed.currencyId);
    if (held < unitsOf(needed)) shortOf.push({ needed, held: amountOf(needed.currencyId, held) });
  };
  needs(amountOf(nativeId, isNative ? unitsOf(amount) + most : most));
  if (!isNative) needs(amount);
  const coin = (units: bigint): Amount => amountOf(nativeId, units);
  const possible = {
    outcome: 'possible',
    expected: coin(expected),
    most: coin(most),
    terms,
    shortOf,
  } as const;
  if (offerOf === null) return possible;
  const { bytes } = resourcesOf(currency.contract);
  const stake = currency.contract === null ? 0n : STAKE_OF_A_TRANSFER;
  const free = freeOf(delegated, market.stake);
  const sun = { stake: coin(stake), free: coin(free), cost: coin(2n * DELEGATION_SUN), rest: coin(bytes) };
  const isEnough = stake > 0n && stake <= free && energyOf(delegated, from) <= 0n;
  return { ...possible, offer: isEnough ? { staker: offerOf.staker, ...sun } : null };
}

/** The estimate of a delegation. Resources are known at the head only. */
function delegationAt(
  market: FeeMarket,
  delegated: ReturnType<typeof delegatedBy>,
  { to, amount, delegation: { action: type, staker } }: PlannedTransfer & { readonly delegation: Delegation },
  nativeId: CurrencyId,
): TransferEstimate {
  const baseUnits = unitsOf(amount);
  const action = { type, staker, to, baseUnits, resource: 'energy' } as const;
  const text = delegationProblem(delegated, market.stake, action);
  if (text !== null)
    return {
      outcome: 'impossible',
      reason: 'reverts',
      text,
      ...(type === 'undelegate' ? { stake: 'gone' } : {}),
    };
  const cost = amountOf(nativeId, DELEGATION_SUN);
  return {
    outcome: 'possible',
    expected: cost,
    most: cost,
    terms: { family: 'tron', feeLimit: 0n },
    shortOf: [],
  };
}

/** The estimate of a sweep. The balance of each address counts, whatever contract the address delegates to. */
function sweepingAt(
  definition: ChainDefinition,
  market: FeeMarket,
  tip: SimBlock,
  { from, currency, sweeping }: PlannedTransfer & { readonly sweeping: Sweeping },
): TransferEstimate {
  const { currencyId: nativeId } = nativeCurrency(definition);
  const { expected, most, terms } = evmCosts(definition, market, sweepingGas(sweeping) ?? 0n, true);
  if (terms.family === 'evm' && terms.isLegacy)
    return { outcome: 'impossible', reason: 'reverts', text: 'no base fee' };
  const ground = groundAt(tip);
  const held = ground.balance(from, nativeId);
  const [needs, has] = [amountOf(nativeId, most), amountOf(nativeId, held)];
  const swept = (sweeping.type === 'sweep' ? sweeping.from : []).map(({ address }) =>
    amountOf(currency.currencyId, ground.balance(address, currency.currencyId)),
  );
  return {
    outcome: 'possible',
    expected: amountOf(nativeId, expected),
    most: needs,
    terms,
    shortOf: held < most ? [{ needed: needs, held: has }] : [],
    ...(sweeping.type === 'sweep' ? { swept } : {}),
  };
}

/** `isRoomy`: the gas limit is above the gas that the transaction takes. */
function evmCosts({ name }: ChainDefinition, market: FeeMarket, used: bigint, isRoomy: boolean): Costs {
  const base = market.perUnit;
  const tip = base / 10n;
  const gasLimit = isRoomy ? (used * 120n) / 100n : used;
  // One of the chains has no base fee.
  const isLegacy = name === 'BSC';
  const maxFeePerGas = isLegacy ? base + tip : 2n * base + tip;
  const terms = {
    family: 'evm',
    gasLimit,
    maxFeePerGas,
    maxPriorityFeePerGas: isLegacy ? maxFeePerGas : tip,
    priceThen: base + tip,
    isLegacy,
  } as const;
  return { expected: used * (base + tip), most: gasLimit * maxFeePerGas, terms };
}

function tronCosts(market: FeeMarket, contract: string | null, has: bigint): Costs {
  const { bytes, energy } = resourcesOf(contract);
  const roomy = (energy * MARGIN) / 100n;
  const burnt = (needed: bigint): bigint => (needed > has ? (needed - has) * market.perUnit : 0n);
  const terms = { family: 'tron', feeLimit: roomy * market.perUnit } as const;
  return { expected: bytes + burnt(energy), most: bytes + burnt(roomy), terms };
}
