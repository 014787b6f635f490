// Estimates what a sweep of many addresses costs and moves now, or what making its sweeper costs: one call simulates it all.
import {
  AUTHORISATION_GAS,
  delegatedCode,
  deploymentCall,
  SWEEPER_FACTORY,
  sweepCall,
  sweeperCode,
} from '@ducat/core/collection/sweeper';
import { amountOf, type CurrencyId } from '@ducat/core/money/amount';
import { mostUnits } from '@ducat/core/outgoing/terms';
import type { Sweeping } from '@ducat/core/signing/transfer-intent';
import type { PlannedTransfer, TransferEstimate } from '../../port/writer.ts';
import { invalidAnswer } from '../../rpc/invalid-answer.ts';
import { mostDeploymentGas, mostSweepGas } from '../../rpc/limits.ts';
import { toQuantity } from '../json-rpc.ts';
import { NodeError } from '../node-error.ts';
import { quantityIn } from '../quantity.ts';
import { readLiveFees } from './live-fees.ts';
import type { Calls } from './share-calls.ts';
import { readCode, sweeperOf } from './sweep-ground.ts';

type SweepingPlan = PlannedTransfer & { readonly sweeping: Sweeping };
type Sweep = Extract<Sweeping, { readonly type: 'sweep' }>;

/** As a percentage, the same as for any contract. */
const GAS_MARGIN = 120n;
const TRANSACTION_GAS = 21_000n;
/** The least that data costs (EIP-7623), as a percentage of its usual gas. */
const FLOOR_PERCENT = 250n;
/** The tolerance of a node's estimate, as a percentage: it is right to a few percent. */
const ASKED_PERCENT = 105n;
const WORD = 64;

interface Tried {
  readonly gas: bigint;
  /** What each address of a sweep moved, in base units. */
  readonly swept: readonly bigint[] | null;
}

/**
 * Throws Outage where the node gives no answer. If the node answers with an error, the estimate is impossible, with that
 * error as its text.
 */
export async function estimateSweeping(
  rpc: Calls,
  plan: SweepingPlan,
  nativeId: CurrencyId,
): Promise<TransferEstimate> {
  const fees = await readLiveFees(rpc);
  // Only transactions with a base fee carry authorisations.
  if (fees.isLegacy) return impossible('the chain has no base fee');
  const balance = quantityIn(await rpc.call('eth_getBalance', [plan.from, 'latest']));
  const tried = await tryIt(rpc, plan);
  if (typeof tried === 'string') return impossible(tried);
  const gasLimit = (tried.gas * GAS_MARGIN + 99n) / 100n;
  if (gasLimit > BigInt(mostSweepGas)) return impossible(`takes ${tried.gas} gas`);
  const terms = { family: 'evm', gasLimit, ...fees } as const;
  const most = amountOf(nativeId, mostUnits(terms));
  const { currencyId } = plan.currency;
  return {
    outcome: 'possible',
    expected: amountOf(nativeId, tried.gas * fees.priceThen),
    most,
    terms,
    shortOf: balance < mostUnits(terms) ? [{ needed: most, held: amountOf(nativeId, balance) }] : [],
    ...(tried.swept === null ? {} : { swept: tried.swept.map((units) => amountOf(currencyId, units)) }),
  };
}

function impossible(text: string): TransferEstimate {
  return { outcome: 'impossible', reason: 'reverts', text };
}

/** Simulates the transaction. Returns a text where the node cannot simulate it. */
async function tryIt(
  rpc: Calls,
  { from, to: wallet, currency, sweeping }: SweepingPlan,
): Promise<Tried | string> {
  try {
    if (sweeping.type === 'deploy') return await tryDeployment(rpc, from, wallet);
    if (currency.contract === null || sweeping.type === 'nothing') return 'nothing is swept';
    return await trySweep(rpc, { from, wallet, token: currency.contract, sweep: sweeping });
  } catch (error) {
    if (error instanceof NodeError && error.isOfTheCall) return error.message;
    throw error;
  }
}

async function tryDeployment(rpc: Calls, from: string, wallet: string): Promise<Tried | string> {
  const { address, code } = SWEEPER_FACTORY;
  if ((await readCode(rpc, address, 'latest')) !== code) return `there is no factory at ${address}`;
  const call = { from, to: address, data: `0x${deploymentCall(wallet)}`, gas: toQuantity(mostDeploymentGas) };
  return { gas: quantityIn(await rpc.call('eth_estimateGas', [call, 'latest'])), swept: null };
}

interface TrySweep {
  readonly from: string;
  readonly wallet: string;
  readonly token: string;
  readonly sweep: Sweep;
}

/**
 * Simulates the sweep as if all addresses had authorised the sweeper. A node's estimate would be too low, because a sweep
 * succeeds even where its addresses run out of gas. So the sweeper counts its own gas.
 */
async function trySweep(rpc: Calls, { from, wallet, token, sweep }: TrySweep): Promise<Tried | string> {
  const sweeper = sweeperOf(wallet);
  const addresses = sweep.from.map(({ address }) => address);
  const data = sweepCall(token, addresses);
  const delegated = { code: delegatedCode(sweeper) };
  const there = { [sweeper]: { code: sweeperCode(wallet) } };
  const authorised = Object.fromEntries(addresses.map((address) => [address, delegated]));
  const call = { from, to: sweeper, data: `0x${data}`, gas: toQuantity(mostSweepGas) };
  const run = async (state: object) => {
    const answer = await rpc.call('eth_call', [call, 'latest', state]);
    const [used = 0n, ...swept] = wordsIn(answer, addresses.length + 1);
    return { used, swept };
  };
  const { used, swept } = await run({ ...there, ...authorised });
  // Nodes estimate the same call without its authorisations, so no new address delegates in it.
  const { used: bare } = await run(there);
  const asked = quantityIn(await rpc.call('eth_estimateGas', [call, 'latest']));
  // mark: gas-of-a-sweep-is-as-nodes-reckon
  if (asked * 100n > gasFor(data, bare) * ASKED_PERCENT)
    return `takes ${asked} gas where Ethereum takes ${gasFor(data, bare)}: the chain charges for more than that`;
  const count = sweep.from.filter(({ nonce }) => nonce !== null).length;
  return { gas: gasFor(data, used + AUTHORISATION_GAS * BigInt(count)), swept };
}

/** The gas of a transaction with this data and `besides` for everything else. */
function gasFor(data: string, besides: bigint): bigint {
  const ofData = dataGas(data);
  return TRANSACTION_GAS + max(ofData + besides, (ofData * FLOOR_PERCENT) / 100n);
}

function wordsIn(answer: unknown, count: number): readonly bigint[] {
  if (typeof answer !== 'string' || !/^0x[0-9a-fA-F]*$/.test(answer) || answer.length !== 2 + count * WORD)
    throw invalidAnswer('answered with something that is no sweep');
  return Array.from({ length: count }, (_, place) =>
    BigInt(`0x${answer.slice(2 + place * WORD, 2 + (place + 1) * WORD)}`),
  );
}

function max(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

/** 16 for each byte, 4 where it is zero. */
function dataGas(data: string): bigint {
  return Buffer.from(data, 'hex').reduce((sum, byte) => sum + (byte === 0 ? 4n : 16n), 0n);
}
