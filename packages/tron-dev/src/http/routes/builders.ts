// Calls that build an unsigned transaction around one system contract, after checking it against the state.
import { executeSystemCall, isVmCall } from '../../actuators/execute.ts';
import { type ContractName, contractSchemas } from '../../protocol/contracts.ts';
import { buildTransaction, type ContractCall, type Transaction } from '../../protocol/transaction.ts';
import { World } from '../../state/world.ts';
import { parseMessage } from '../json/parse-message.ts';
import { printTransaction } from '../json/print-transaction.ts';
import { isVisible, type Params, readBytes, readInteger } from '../read-request.ts';
import type { Route, RouteContext, Routes } from '../route.ts';
import { referenceTo } from '../../protocol/block-header.ts';

/** How long after the head's time built transactions expire, in milliseconds. */
const lifeMs = 60_000;

export const builderRoutes: Routes = {
  createtransaction: builder('TransferContract'),
  transferasset: builder('TransferAssetContract'),
  createaccount: builder('AccountCreateContract'),
  freezebalancev2: builder('FreezeBalanceV2Contract'),
  unfreezebalancev2: builder('UnfreezeBalanceV2Contract'),
  withdrawexpireunfreeze: builder('WithdrawExpireUnfreezeContract'),
  cancelallunfreezev2: builder('CancelAllUnfreezeV2Contract'),
  delegateresource: builder('DelegateResourceContract'),
  undelegateresource: builder('UnDelegateResourceContract'),
  accountpermissionupdate: builder('AccountPermissionUpdateContract'),
};

function builder(name: ContractName): Route {
  return async (params, context) => {
    const value = parseMessage(contractSchemas[name], params, isVisible(params));
    // Name and schema are one row of the registry.
    const call = { name, value } as ContractCall;
    await validate(call, context);
    return builtTransaction(call, params, context, 0n);
  };
}

/** Executes the call on a copy that is discarded. A Rejection says why the call would be refused. */
async function validate(call: ContractCall, { chain, view }: RouteContext): Promise<void> {
  if (isVmCall(call)) return;
  const world = new World(await view.state());
  const now = BigInt(view.head().timestamp);
  executeSystemCall(call, { world, parameters: chain.rules.parameters, now });
}

/** The unsigned transaction, which refers to the solid block, as java-tron's builders do by default. */
export function frameTransaction(
  call: ContractCall,
  params: Params,
  { chain }: RouteContext,
  feeLimit: bigint,
): Transaction {
  const head = chain.head.timestamp;
  return buildTransaction(call, {
    ...referenceTo(chain.solidHead.id),
    expirationMs: head + lifeMs,
    timestampMs: chain.clock.isVirtual ? head : Date.now(),
    feeLimit,
    memo: params['extra_data'] === undefined ? '' : readBytes(params, 'extra_data'),
    permissionId: readInteger(params, 'Permission_id'),
  });
}

export function builtTransaction(
  call: ContractCall,
  params: Params,
  context: RouteContext,
  feeLimit: bigint,
): Record<string, unknown> {
  const tx = frameTransaction(call, params, context, feeLimit);
  return { visible: isVisible(params), ...printTransaction(tx, null, isVisible(params)) };
}
