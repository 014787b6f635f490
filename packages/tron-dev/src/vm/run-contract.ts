// Executes the contract calls of a transaction: creation and trigger, with their rules, energy and receipt.
import type { VmCall } from '../actuators/execute.ts';
import { withToken } from '../actuators/transfer-asset.ts';
import { createdAddress } from '../protocol/contract-address.ts';
import type { ResourceReceipt, TransactionRaw } from '../protocol/messages.ts';
import { invalid } from '../protocol/rejection.ts';
import { callerEnergyLimit, chargeEnergy, deployerEnergyLimit } from '../state/energy.ts';
import type { Parameters } from '../state/parameters.ts';
import type { Contract } from '../state/state.ts';
import type { World } from '../state/world.ts';
import { type BlockContext, executeInVm, type ExecutionResult } from './execute.ts';

export interface ContractRun extends ExecutionResult {
  readonly contractAddress: string;
  readonly bill: Pick<
    ResourceReceipt,
    'energy_usage' | 'energy_fee' | 'origin_energy_usage' | 'energy_usage_total'
  >;
}

/** Throws a Rejection where the transaction may not enter a block at all; a failed execution is a result. */
export async function runContract(
  world: World,
  parameters: Parameters,
  block: BlockContext,
  call: VmCall,
  raw: TransactionRaw,
  txId: string,
): Promise<ContractRun> {
  const feeLimit = raw.fee_limit;
  if (feeLimit < 0n || feeLimit > parameters.getMaxFeeLimit) {
    throw invalid(`feeLimit must be >= 0 and <= ${parameters.getMaxFeeLimit}`);
  }
  return call.name === 'CreateSmartContract'
    ? create(world, parameters, block, call, feeLimit, txId)
    : trigger(world, parameters, block, call, feeLimit, txId);
}

async function create(
  world: World,
  parameters: Parameters,
  block: BlockContext,
  { value }: Extract<VmCall, { name: 'CreateSmartContract' }>,
  feeLimit: bigint,
  txId: string,
): Promise<ContractRun> {
  const owner = value.owner_address;
  const definition = value.new_contract;
  if (definition === undefined) throw invalid('Cannot get CreateSmartContract from transaction');
  if (definition.origin_address !== owner) throw invalid('OwnerAddress is not equals OriginAddress');
  if (definition.consume_user_resource_percent > 100n || definition.consume_user_resource_percent < 0n) {
    throw invalid('percent must be >= 0 and <= 100');
  }
  const contractAddress = createdAddress(txId, owner);
  if (world.account(contractAddress) !== undefined) {
    throw invalid('Trying to create a contract with existing contract address');
  }
  requireFunds(world, owner, definition.call_value, 0n, 0n);
  const energyLimit = callerEnergyLimit(world, parameters, owner, feeLimit, definition.call_value, block.now);
  const executed = await executeInVm(world, block, {
    txId,
    caller: owner,
    to: null,
    newContract: contractAddress,
    value: definition.call_value,
    data: definition.bytecode,
    energyLimit,
  });
  // A constructor may destroy its own contract, of which nothing then stays.
  if (executed.result === 'SUCCESS' && world.account(contractAddress) !== undefined) {
    world.updateAccount(contractAddress, block.now, () => ({ isContract: true }));
    const made = world.get('contracts', contractAddress);
    world.set('contracts', contractAddress, {
      code: made?.code ?? '',
      definition: { ...definition, contract_address: contractAddress, version: 1n },
      energyFactor: 0n,
      pinnedEnergy: {},
    });
  }
  const bill = chargeEnergy(world, parameters, owner, undefined, executed.energyUsed, block.now);
  return { ...executed, contractAddress, bill };
}

async function trigger(
  world: World,
  parameters: Parameters,
  block: BlockContext,
  { value }: Extract<VmCall, { name: 'TriggerSmartContract' }>,
  feeLimit: bigint,
  txId: string,
): Promise<ContractRun> {
  const { owner_address: owner, contract_address: to, call_value: callValue } = value;
  const contract = world.get('contracts', to);
  if (contract === undefined) throw invalid('No contract or not a smart contract');
  requireFunds(world, owner, callValue, value.call_token_value, value.token_id);
  const energyLimit = energyLimitOf(world, parameters, contract, owner, feeLimit, callValue, block.now);
  world.checkpoint();
  moveTokens(world, owner, to, value.call_token_value, value.token_id, block.now);
  const executed = await executeInVm(world, block, {
    txId,
    caller: owner,
    to,
    newContract: null,
    value: callValue,
    data: value.data,
    energyLimit,
  });
  if (executed.result === 'SUCCESS') world.commit();
  else world.revert();
  const bill = chargeEnergy(world, parameters, owner, contract, executed.energyUsed, block.now);
  return { ...executed, contractAddress: to, bill };
}

function energyLimitOf(
  world: World,
  parameters: Parameters,
  contract: Contract,
  owner: string,
  feeLimit: bigint,
  callValue: bigint,
  now: bigint,
): bigint {
  const own = callerEnergyLimit(world, parameters, owner, feeLimit, callValue, now);
  return own + deployerEnergyLimit(world, parameters, contract, owner, own, now);
}

function requireFunds(
  world: World,
  owner: string,
  callValue: bigint,
  tokenValue: bigint,
  tokenId: bigint,
): void {
  const account = world.account(owner);
  if (callValue < 0n) throw invalid('callValue must be >= 0');
  if ((account?.balance ?? 0n) < callValue) {
    throw invalid('Validate InternalTransfer error, balance is not sufficient.');
  }
  if (tokenValue > 0n && (account?.tokens[String(tokenId)] ?? 0n) < tokenValue) {
    throw invalid('assetBalance is not sufficient.');
  }
}

function moveTokens(
  world: World,
  from: string,
  to: string,
  amount: bigint,
  tokenId: bigint,
  now: bigint,
): void {
  if (amount <= 0n) return;
  const id = String(tokenId);
  world.updateAccount(from, now, (old) => ({ tokens: withToken(old, id, -amount) }));
  world.updateAccount(to, now, (old) => ({ tokens: withToken(old, id, amount) }));
}
