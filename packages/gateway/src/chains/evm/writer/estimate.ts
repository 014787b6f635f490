// What a transfer would cost on an EVM chain now, and whether the chain would execute it at all.
import { isNativeCurrency } from '@ducat/core/chain/currency';
import { amountOf, type CurrencyId, unitsOf } from '@ducat/core/money/amount';
import { mostUnits } from '@ducat/core/outgoing/terms';
import type { PlannedTransfer, Shortage, TransferEstimate } from '../../port/writer.ts';
import { invalidAnswer } from '../../rpc/invalid-answer.ts';
import { mostNativeGas, mostTokenGas, usualNativeGas, usualTokenGas } from '../../rpc/limits.ts';
import { balanceOfData } from '../balances/evm-balances.ts';
import { toQuantity } from '../json-rpc.ts';
import { NodeError } from '../node-error.ts';
import { quantityIn } from '../quantity.ts';
import { readLiveFees } from './live-fees.ts';
import type { Calls } from './share-calls.ts';

const word = /^0x[0-9a-fA-F]{64}$/;
const saysTooMuchGas = /gas required exceeds|exceeds allowance|out ?of ?gas/i;
const saysReverted = /revert/i;

/** As a percentage: a contract may need more gas in the block than in the estimate. */
const GAS_MARGIN = 120n;

type Gas =
  | { readonly kind: 'gas'; readonly limit: bigint; readonly used: bigint }
  | { readonly kind: 'impossible'; readonly reason: 'reverts' | 'too-dear'; readonly text: string };

/** Throws Outage where the node cannot answer. */
export async function estimateTransfer(
  rpc: Calls,
  transfer: PlannedTransfer,
  nativeId: CurrencyId,
): Promise<TransferEstimate> {
  const { from, currency } = transfer;
  const fees = await readLiveFees(rpc);
  const balance = quantityIn(await rpc.call('eth_getBalance', [from, 'latest']));
  const units = unitsOf(transfer.amount);
  const isNative = isNativeCurrency(currency);
  const held = isNative ? balance : await readTokens(rpc, transfer);
  // A transfer of more than the sender holds cannot be simulated: a node would call it a revert.
  const gas = held < units ? usualGas(isNative) : await estimateGas(rpc, transfer);
  if (gas.kind === 'impossible') return { outcome: 'impossible', reason: gas.reason, text: gas.text };
  const terms = { family: 'evm', gasLimit: gas.limit, ...fees } as const;
  const most = mostUnits(terms);
  const shortOf: Shortage[] = [];
  const lacks = (currencyId: CurrencyId, needed: bigint, has: bigint): void => {
    if (has < needed) shortOf.push({ needed: amountOf(currencyId, needed), held: amountOf(currencyId, has) });
  };
  lacks(nativeId, isNative ? units + most : most, balance);
  if (!isNative) lacks(currency.currencyId, units, held);
  return {
    outcome: 'possible',
    expected: amountOf(nativeId, gas.used * fees.priceThen),
    most: amountOf(nativeId, most),
    terms,
    shortOf,
  };
}

function usualGas(isNative: boolean): Gas {
  const limit = BigInt(isNative ? usualNativeGas : usualTokenGas);
  return { kind: 'gas', limit, used: limit };
}

/** Estimates with no more gas than a plain transfer may take, so that a gas burner shows before anything is signed. */
async function estimateGas(rpc: Calls, transfer: PlannedTransfer): Promise<Gas> {
  const most = isNativeCurrency(transfer.currency) ? mostNativeGas : mostTokenGas;
  try {
    const call = { ...callOf(transfer), gas: toQuantity(most) };
    const used = quantityIn(await rpc.call('eth_estimateGas', [call, 'latest']));
    // mark: gas-burners-get-nothing
    if (used > BigInt(most)) return tooDear(`takes ${used} gas`);
    const roomy = used === BigInt(usualNativeGas) ? used : (used * GAS_MARGIN + 99n) / 100n;
    return { kind: 'gas', used, limit: roomy < BigInt(most) ? roomy : BigInt(most) };
  } catch (error) {
    if (!(error instanceof NodeError) || !error.isOfTheCall) throw error;
    if (saysTooMuchGas.test(error.message)) return tooDear(error.message);
    if (!error.hasReverted && !saysReverted.test(error.message)) throw error;
    return { kind: 'impossible', reason: 'reverts', text: error.message };
  }
}

function tooDear(text: string): Gas {
  return { kind: 'impossible', reason: 'too-dear', text };
}

function callOf({ from, to, currency, amount }: PlannedTransfer): object {
  const units = unitsOf(amount);
  if (currency.contract === null) return { from, to, value: `0x${units.toString(16)}` };
  const data = `0xa9059cbb${padded(to.slice(2))}${padded(units.toString(16))}`;
  return { from, to: currency.contract, data };
}

async function readTokens(rpc: Calls, { from, currency }: PlannedTransfer): Promise<bigint> {
  const call = { to: currency.contract, data: balanceOfData(from) };
  const answer = await rpc.call('eth_call', [call, 'latest']);
  if (typeof answer === 'string' && word.test(answer)) return BigInt(answer);
  throw invalidAnswer(`answered with something that is no balance of ${currency.symbol}`);
}

function padded(hex: string): string {
  return hex.padStart(64, '0');
}
