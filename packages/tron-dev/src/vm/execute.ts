// Runs one call or creation in the virtual machine and returns its result.
import { type EVMResult, EVMError } from '@ethereumjs/evm';
import { Address } from '@ethereumjs/util';
import type { Common } from '@ethereumjs/common';
import { bytesToHex, hexToBytes, textToHex } from '../protocol/hex.ts';
import type { ContractResult, InternalTransaction, Log } from '../protocol/messages.ts';
import type { PinnedEnergy } from '../state/state.ts';
import type { World } from '../state/world.ts';
import { Tvm } from './tvm.ts';
import { EvmState } from './evm-state.ts';
import { SelfTransfer } from './self-transfer.ts';

/** The block that the call is executed in. */
export interface BlockContext {
  readonly common: Common;
  readonly number: bigint;
  /** Milliseconds. */
  readonly now: bigint;
  readonly witness: string;
}

export interface Execution {
  readonly txId: string;
  readonly caller: string;
  /** The contract called, or null to create `newContract`. */
  readonly to: string | null;
  readonly newContract: string | null;
  readonly value: bigint;
  readonly data: string;
  readonly energyLimit: bigint;
  readonly isStatic?: boolean;
}

export interface ExecutionResult {
  readonly result: ContractResult;
  readonly returned: string;
  readonly logs: readonly Log[];
  readonly internals: readonly InternalTransaction[];
  /** With penalty. */
  readonly energyUsed: bigint;
  readonly penalty: bigint;
  /** The hex of java-tron's message about a failure; empty on success. */
  readonly message: string;
}

/** The limit of calls whose energy is pinned: the machine's own count must not stop them. */
const ampleEnergy = 100_000_000n;

/** Executes on `world`. A failed execution leaves no changes in it. */
export async function executeInVm(
  world: World,
  block: BlockContext,
  execution: Execution,
): Promise<ExecutionResult> {
  const evmState = new EvmState(world, block.now);
  const contract = execution.to === null ? undefined : world.get('contracts', execution.to);
  const pinned = contract?.pinnedEnergy[execution.data.slice(0, 8)];
  const tvm = new Tvm({
    common: block.common,
    evmState,
    txId: execution.txId,
    topContract: execution.newContract,
    factorOf: (address) => world.get('contracts', address)?.energyFactor ?? 0n,
  });
  world.checkpoint();
  const outcome = await tvm.runCall({
    block: blockOf(block),
    caller: vmAddress(execution.caller),
    origin: vmAddress(execution.caller),
    ...(execution.to !== null && { to: vmAddress(execution.to) }),
    value: execution.value,
    data: hexToBytes(execution.data),
    gasLimit: pinned === undefined ? execution.energyLimit : ampleEnergy,
    gasPrice: 100n,
    isStatic: execution.isStatic ?? false,
    skipNonceIncrement: true,
  });
  const failure = resultOf(outcome);
  const measured =
    pinned === undefined ? measuredEnergy(outcome, tvm) : pinnedEnergy(pinned, evmState.newSlots);
  const isOver = measured > execution.energyLimit;
  const result = isOver ? 'OUT_OF_ENERGY' : failure;
  if (result === 'SUCCESS') {
    world.commit();
    removeDestroyed(world, outcome);
  } else {
    world.revert();
  }
  const losesAll = isOver || !keepsRest.has(failure);
  return {
    result,
    returned: bytesToHex(outcome.execResult.returnValue),
    logs: result === 'SUCCESS' ? logsOf(outcome) : [],
    internals: tvm.recorder.entries(result !== 'SUCCESS'),
    energyUsed: losesAll ? execution.energyLimit : measured,
    penalty: tvm.recorder.penalty,
    message: textToHex(messageOf(result, outcome, execution.energyLimit)),
  };
}

function measuredEnergy(outcome: EVMResult, tvm: Tvm): bigint {
  return outcome.execResult.executionGasUsed + tvm.recorder.penalty;
}

function pinnedEnergy(pinned: PinnedEnergy, newSlots: number): bigint {
  return pinned.base + pinned.perNewSlot * BigInt(newSlots);
}

function vmAddress(address: string): Address {
  return new Address(hexToBytes(address.slice(2)));
}

function blockOf(block: BlockContext) {
  return {
    header: {
      number: block.number,
      coinbase: vmAddress(block.witness),
      timestamp: block.now / 1000n,
      difficulty: 0n,
      prevRandao: new Uint8Array(32),
      gasLimit: 0n,
      getBlobGasPrice: () => undefined,
    },
  };
}

function logsOf(outcome: EVMResult): readonly Log[] {
  return (outcome.execResult.logs ?? []).map(([address, topics, data]) => ({
    address: bytesToHex(address),
    topics: topics.map((topic) => bytesToHex(topic)),
    data: bytesToHex(data),
  }));
}

function removeDestroyed(world: World, outcome: EVMResult): void {
  for (const address of outcome.execResult.selfdestruct?.keys() ?? []) {
    world.set('contracts', `41${address.slice(2)}`, undefined);
    world.set('accounts', `41${address.slice(2)}`, undefined);
  }
}

/** Results that cost only the energy used. Every other failure costs the whole limit. */
const keepsRest: ReadonlySet<ContractResult> = new Set(['SUCCESS', 'REVERT', 'TRANSFER_FAILED']);

const failures: Readonly<Record<string, ContractResult>> = {
  [EVMError.errorMessages.REVERT]: 'REVERT',
  [EVMError.errorMessages.OUT_OF_GAS]: 'OUT_OF_ENERGY',
  [EVMError.errorMessages.CODESTORE_OUT_OF_GAS]: 'OUT_OF_ENERGY',
  [EVMError.errorMessages.INVALID_JUMP]: 'BAD_JUMP_DESTINATION',
  [EVMError.errorMessages.STACK_UNDERFLOW]: 'STACK_TOO_SMALL',
  [EVMError.errorMessages.STACK_OVERFLOW]: 'STACK_TOO_LARGE',
  [EVMError.errorMessages.INVALID_OPCODE]: 'ILLEGAL_OPERATION',
  [EVMError.errorMessages.INVALID_BYTECODE_RESULT]: 'INVALID_CODE',
};

function resultOf(outcome: EVMResult): ContractResult {
  const error = outcome.execResult.exceptionError;
  if (error === undefined) return 'SUCCESS';
  return error instanceof SelfTransfer ? 'TRANSFER_FAILED' : (failures[error.error] ?? 'UNKNOWN');
}

function messageOf(result: ContractResult, outcome: EVMResult, energyLimit: bigint): string {
  if (result === 'SUCCESS') return '';
  if (result === 'REVERT') return 'REVERT opcode executed';
  if (result === 'OUT_OF_ENERGY')
    return `Not enough energy for contract execution: curInvokeEnergyLimit[${energyLimit}]`;
  const error = outcome.execResult.exceptionError;
  return error instanceof SelfTransfer ? error.message : (error?.error ?? result);
}
