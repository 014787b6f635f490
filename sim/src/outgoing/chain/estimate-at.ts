// What a node of a simulated chain says that a transfer would cost, by the balances of the block that it shows.
import { type ChainDefinition, nativeCurrency } from '@ducat/core/chain/chain';
import { type Amount, amountOf, unitsOf } from '@ducat/core/money/amount';
import type { SendingTerms } from '@ducat/core/outgoing/terms';
import type { PlannedTransfer, Shortage, TransferEstimate } from '@ducat/gateway/chains/port/writer';
import { balanceAt, type SimBlock } from '../../nodes/sim-block.ts';
import type { FeeMarket } from './fee-market.ts';
import { gasOf, sunOf } from './sending-rules.ts';

interface Costs {
  readonly expected: bigint;
  readonly most: bigint;
  readonly terms: SendingTerms;
}

export function estimateAt(
  definition: ChainDefinition,
  market: FeeMarket,
  tip: SimBlock,
  { from, currency, amount }: PlannedTransfer,
): TransferEstimate {
  const { currencyId: nativeId } = nativeCurrency(definition);
  const { expected, most, terms } =
    definition.family === 'evm'
      ? evmCosts(definition, market, currency.contract)
      : tronCosts(market, currency.contract);
  const isNative = currency.contract === null;
  const shortOf: Shortage[] = [];
  const needs = (needed: Amount): void => {
    const held = balanceAt(tip, from, needed.currencyId);
    if (held < unitsOf(needed)) shortOf.push({ needed, held: amountOf(needed.currencyId, held) });
  };
  needs(amountOf(nativeId, isNative ? unitsOf(amount) + most : most));
  if (!isNative) needs(amount);
  const coin = (units: bigint): Amount => amountOf(nativeId, units);
  return { outcome: 'possible', expected: coin(expected), most: coin(most), terms, shortOf };
}

function evmCosts({ name }: ChainDefinition, market: FeeMarket, contract: string | null): Costs {
  const base = market.perUnit;
  const tip = base / 10n;
  const used = gasOf(contract);
  const gasLimit = contract === null ? used : (used * 120n) / 100n;
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

function tronCosts(market: FeeMarket, contract: string | null): Costs {
  const { bytes, energy } = sunOf(contract, market);
  const feeLimit = (energy * 130n) / 100n;
  return { expected: bytes + energy, most: bytes + feeLimit, terms: { family: 'tron', feeLimit } };
}
