// The rules of a chain that takes our own transactions: nonces and fees as on EVM, reference blocks and expiry as on Tron.
import { type ChainDefinition, nativeCurrency } from '@ducat/core/chain/chain';
import type { EvmTransferIntent, TronTransferIntent } from '@ducat/core/signing/transfer-intent';
import { plainRules } from '../../nodes/plain-rules.ts';
import type { ChainRules, OutgoingCall, SentTransaction, SimBlock } from '../../nodes/sim-block.ts';
import type { FeeMarket } from './fee-market.ts';
import { Ground, holds, nonceAt } from './ground.ts';
import { sweepAt, sweepingGas } from './sweeping.ts';
import { DELEGATION_SUN, energyOf, freeOf, STAKER } from './stake.ts';

/** Gas that a transfer takes. */
const NATIVE_GAS = 21_000n;
const TOKEN_GAS = 60_000n;
/** Energy that a token transfer takes, and sun for the bytes of a native and of a token transfer. */
const TOKEN_ENERGY = 65_000n;
const NATIVE_BYTES = 2_680n;
const TOKEN_BYTES = 3_450n;

/** The gas of a transfer, whether it is estimated or executed. */
export function gasOf(contract: string | null): bigint {
  return contract === null ? NATIVE_GAS : TOKEN_GAS;
}

/** Sun for the bytes of a transfer, and its energy. */
export function resourcesOf(contract: string | null): { readonly bytes: bigint; readonly energy: bigint } {
  return contract === null
    ? { bytes: NATIVE_BYTES, energy: 0n }
    : { bytes: TOKEN_BYTES, energy: TOKEN_ENERGY };
}

/** What a transaction offers for a unit of gas. */
export function pricesOf({ fees }: EvmTransferIntent): { readonly most: bigint; readonly tip: bigint } {
  return fees.type === 'legacy'
    ? { most: fees.gasPrice, tip: fees.gasPrice }
    : { most: fees.maxFeePerGas, tip: fees.maxPriorityFeePerGas };
}

export function sendingRules(definition: ChainDefinition, market: FeeMarket): ChainRules {
  const { currencyId: nativeId } = nativeCurrency(definition);
  const plain = plainRules(definition.name, nativeId);
  const run = { definition, market, nativeId };
  return {
    ...plain,
    executed: (transaction, valueTransfers, failed) => {
      const { outgoing } = transaction;
      // The transfer is signed, so behind other transactions only its outcome may change.
      return outgoing === undefined
        ? plain.executed(transaction, valueTransfers, failed)
        : { ...transaction, outgoing: { ...outgoing, reverts: !outgoing.reverts } };
    },
    admit: (parent, offered) => admit(run, parent, offered),
    isDead: (tip, { txId, outgoing }) => outgoing !== undefined && isDead(tip, txId, outgoing),
  };
}

interface Run {
  readonly definition: ChainDefinition;
  readonly market: FeeMarket;
  readonly nativeId: number;
}

/** Executes transactions in the order in which they are offered. Nonces wait for each other. */
function admit(
  run: Run,
  parent: SimBlock | null,
  offered: readonly SentTransaction[],
): readonly SentTransaction[] {
  const ground = new Ground(parent);
  const held: SentTransaction[] = [];
  let waiting = offered;
  for (let before = -1; before !== held.length; ) {
    before = held.length;
    waiting = waiting.filter((one) => {
      const done =
        one.outgoing === undefined ? byStranger(run, ground, one) : execute(run, ground, one, one.outgoing);
      if (done === null) return true;
      ground.add(done);
      held.push(done);
      return false;
    });
  }
  return held;
}

/** Executes a transaction of ours; null where no block can hold it now. */
function execute(
  run: Run,
  ground: Ground,
  transaction: SentTransaction,
  call: OutgoingCall,
): SentTransaction | null {
  const { intent, from, reverts } = call;
  if (intent.family === 'tron' && intent.action.type !== 'transfer')
    return delegate(run, ground, transaction, { call, intent, action: intent.action });
  const moved = intent.family === 'evm' ? intent : intent.action;
  const contract = 'contract' in moved ? moved.contract : null;
  const currency = run.definition.currencies.find((one) => one.contract === contract);
  if (currency === undefined) return null;
  const { currencyId } = currency;
  const { to, baseUnits: units } = moved;
  const ran =
    intent.family === 'evm'
      ? runOnEvm(run, ground, from, intent)
      : runOnTron(run, ground, { from, txId: transaction.txId }, intent, contract);
  if (ran === null) return null;
  const fee = { from, currencyId: run.nativeId, units: ran.fee };
  if (intent.family === 'evm' && intent.sweeping !== undefined) {
    const swept = sweepAt(ground, intent, currencyId);
    return { ...transaction, ...swept, failed: reverts || ran.outOfGas, outgoing: { ...call, fee } };
  }
  const failed = reverts || ran.outOfGas || ground.balance(from, currencyId) < units;
  const valueTransfers = [{ currencyId, from, to, units }];
  return {
    ...transaction,
    valueTransfers,
    failed,
    outgoing: { ...call, fee, stakedEnergy: ran.stakedEnergy },
  };
}

/** A stranger's plain transaction moves what it says; a stranger's sweep moves what the addresses hold. */
function byStranger({ definition }: Run, ground: Ground, transaction: SentTransaction): SentTransaction {
  const { stranger } = transaction;
  if (stranger === undefined) return transaction;
  const { intent, address } = stranger;
  const currency = definition.currencies.find(({ contract }) => contract === intent.contract);
  return { ...transaction, ...sweepAt(ground, intent, currency?.currencyId ?? -1, address) };
}

interface Delegating {
  readonly call: OutgoingCall;
  readonly intent: TronTransferIntent;
  readonly action: Exclude<TronTransferIntent['action'], { readonly type: 'transfer' }>;
}

/** Why no block holds such a transaction; null where one can. */
export function delegationProblem(
  delegated: ReturnType<Ground['delegated']>,
  staked: bigint,
  { staker, type, to, baseUnits }: Delegating['action'],
): string | null {
  if (staker.address !== STAKER.address || staker.permission !== STAKER.permission)
    return 'no such permission';
  const there = delegated.get(to)?.stake ?? 0n;
  if (type === 'undelegate') return there < baseUnits ? `the staker has ${there} sun delegated there` : null;
  const free = freeOf(delegated, staked);
  return free < baseUnits ? `the staker can delegate ${free} sun` : null;
}

function delegate(
  { market, nativeId }: Run,
  ground: Ground,
  transaction: SentTransaction,
  { call, intent, action }: Delegating,
): SentTransaction | null {
  if (!fits(ground, transaction.txId, intent)) return null;
  if (delegationProblem(ground.delegated(), market.stake, action) !== null) return null;
  const { to, type, baseUnits } = action;
  // An account comes into being only by the first coin that it receives.
  if (type === 'delegate' && ground.balance(to, nativeId) <= 0n) return null;
  const delegated = { to, sun: type === 'delegate' ? baseUnits : -baseUnits };
  const fee = { from: STAKER.address, currencyId: nativeId, units: DELEGATION_SUN };
  return { ...transaction, delegated, failed: call.reverts, outgoing: { ...call, fee } };
}

interface Ran {
  readonly fee: bigint;
  readonly outOfGas: boolean;
  readonly stakedEnergy: bigint;
}

function runOnEvm(run: Run, ground: Ground, from: string, intent: EvmTransferIntent): Ran | null {
  const { nonce, contract, baseUnits, gasLimit } = intent;
  const { most, tip } = pricesOf(intent);
  const base = run.market.perUnit;
  if (nonce !== ground.nonce(from) || most < base) return null;
  const value = contract === null ? baseUnits : 0n;
  if (ground.balance(from, run.nativeId) < gasLimit * most + value) return null;
  const price = most < base + tip ? most : base + tip;
  const needed = sweepingGas(intent.sweeping) ?? gasOf(contract);
  const used = needed < gasLimit ? needed : gasLimit;
  return { fee: used * price, outOfGas: needed > gasLimit, stakedEnergy: 0n };
}

/** The chain's weakest promise about expiry: the time of the parent block decides. */
function fits(ground: Ground, txId: string, intent: TronTransferIntent): boolean {
  const { expirationMs, refBlockBytes, refBlockHash } = intent;
  if (ground.has(txId) || expirationMs <= ground.parentTime * 1_000) return false;
  return ground.knowsReference(refBlockBytes, refBlockHash);
}

function runOnTron(
  { market, nativeId }: Run,
  ground: Ground,
  { from, txId }: { readonly from: string; readonly txId: string },
  intent: TronTransferIntent,
  contract: string | null,
): Ran | null {
  if (!fits(ground, txId, intent)) return null;
  const { feeLimit, action } = intent;
  const { bytes, energy } = resourcesOf(contract);
  const held = ground.balance(from, nativeId);
  if (held < bytes + (contract === null ? action.baseUnits : 0n)) return null;
  const has = energyOf(ground.delegated(), from);
  const stakedEnergy = has < energy ? has : energy;
  const burnt = (energy - stakedEnergy) * market.perUnit;
  // The limit caps staked energy too.
  const outOfGas = burnt > held - bytes || energy * market.perUnit > feeLimit;
  const payable = feeLimit < held - bytes ? feeLimit : held - bytes;
  return { fee: bytes + (burnt < payable ? burnt : payable), outOfGas, stakedEnergy };
}

function isDead(tip: SimBlock, txId: string, { intent, from }: OutgoingCall): boolean {
  if (intent.family === 'evm') return intent.nonce < nonceAt(tip, from);
  return intent.expirationMs <= tip.header.time * 1_000 || holds(tip, txId);
}
