// Executes one admitted transaction on a working copy of the state and writes its receipt.
import { executeSystemCall, isVmCall } from '../actuators/execute.ts';
import {
  type ResourceReceipt,
  resourceReceipt,
  transactionInfo,
  transactionResult,
} from '../protocol/messages.ts';
import { type ContractCall, encodeTransaction } from '../protocol/transaction.ts';
import type { Transaction } from '../protocol/transaction.ts';
import { Rejection } from '../protocol/rejection.ts';
import { make } from '../protocol/schema.ts';
import { burn, chargeBandwidth } from '../state/bandwidth.ts';
import type { Parameters } from '../state/parameters.ts';
import type { World } from '../state/world.ts';
import type { BlockContext } from '../vm/execute.ts';
import { runContract } from '../vm/run-contract.ts';
import type { IncludedTransaction } from './ledger.ts';

/** Throws a Rejection and leaves the world unchanged where the transaction may not enter a block. */
export async function applyTransaction(
  world: World,
  parameters: Parameters,
  block: BlockContext,
  tx: Transaction,
  call: ContractCall,
): Promise<IncludedTransaction> {
  const savepoint = world.savepoint();
  try {
    const applied = await apply(world, parameters, block, tx, call);
    world.set('totals', 'burned', world.total('burned') + applied.info.fee);
    return applied;
  } catch (error) {
    world.restore(savepoint);
    if (error instanceof Rejection) throw error;
    // An error of the virtual machine must not stop the chain, so the transaction is refused instead.
    throw new Rejection('OTHER_ERROR', `Error: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function apply(
  world: World,
  parameters: Parameters,
  block: BlockContext,
  tx: Transaction,
  call: ContractCall,
): Promise<IncludedTransaction> {
  const owner = call.value.owner_address;
  const size = encodeTransaction(tx, []).length / 2;
  const net = chargeBandwidth(world, parameters, owner, size, createsAccount(world, call), block.now);
  const extra = chargeExtras(world, parameters, tx, owner, block.now);
  const netPart = { net_usage: net.usage, net_fee: net.fee };
  const infoBase = {
    id: tx.txId,
    blockNumber: block.number,
    blockTimeStamp: block.now,
  };
  if (!isVmCall(call)) {
    const outcome = executeSystemCall(call, { world, parameters, now: block.now });
    const amounts = {
      withdraw_expire_amount: outcome.withdrawn ?? 0n,
      cancel_unfreezeV2_amount: outcome.cancelled ?? [],
    };
    return {
      tx,
      // Only the receipt has fees and amounts, as in java-tron.
      result: make(transactionResult, { contractRet: 'SUCCESS' }),
      info: make(transactionInfo, {
        ...infoBase,
        fee: outcome.fee + net.fee + extra,
        contractResult: [''],
        receipt: make(resourceReceipt, netPart),
        ...amounts,
      }),
    };
  }
  const run = await runContract(world, parameters, block, call, tx.raw, tx.txId);
  const receipt: ResourceReceipt = make(resourceReceipt, {
    ...run.bill,
    ...netPart,
    result: run.result,
    energy_penalty_total: run.penalty,
  });
  return {
    tx,
    result: make(transactionResult, { contractRet: run.result }),
    info: make(transactionInfo, {
      ...infoBase,
      fee: run.bill.energy_fee + net.fee + extra,
      contractResult: [run.returned],
      contract_address: run.contractAddress,
      receipt,
      log: run.logs,
      result: run.result === 'SUCCESS' ? 'SUCESS' : 'FAILED',
      resMessage: run.message,
      internal_transactions: run.internals,
    }),
  };
}

/** Whether bandwidth is charged by the rules for new accounts. */
function createsAccount(world: World, call: ContractCall): boolean {
  if (call.name === 'AccountCreateContract') return true;
  const moves = call.name === 'TransferContract' || call.name === 'TransferAssetContract';
  return moves && world.account(call.value.to_address) === undefined;
}

/** Burns the fees of a memo and of more than one signature. Returns the sum in sun. */
function chargeExtras(
  world: World,
  parameters: Parameters,
  tx: Transaction,
  owner: string,
  now: bigint,
): bigint {
  const memo = tx.raw.data === '' ? 0n : parameters.getMemoFee;
  const multiSign = tx.signatures.length > 1 ? parameters.getMultiSignFee : 0n;
  if (memo + multiSign > 0n) burn(world, owner, memo + multiSign, now);
  return memo + multiSign;
}
