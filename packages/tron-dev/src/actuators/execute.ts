// Hands a system contract to its actuator.
import type { ContractCall } from '../protocol/transaction.ts';
import { accountCreate } from './account-create.ts';
import type { ActuatorContext, ActuatorOutcome } from './actuator.ts';
import { delegate, unDelegate } from './delegate.ts';
import { cancelAllUnfreeze, freeze, unfreeze, withdrawExpireUnfreeze } from './freeze.ts';
import { permissionUpdate } from './permission-update.ts';
import { transferAsset } from './transfer-asset.ts';
import { transfer } from './transfer.ts';

/** Calls that the virtual machine executes, and no actuator. */
export type VmCall = Extract<ContractCall, { name: 'CreateSmartContract' | 'TriggerSmartContract' }>;
export type SystemCall = Exclude<ContractCall, VmCall>;

export function isVmCall(call: ContractCall): call is VmCall {
  return call.name === 'CreateSmartContract' || call.name === 'TriggerSmartContract';
}

/** Executes a system contract. Throws a Rejection where it breaks a rule. */
export function executeSystemCall(call: SystemCall, context: ActuatorContext): ActuatorOutcome {
  switch (call.name) {
    case 'AccountCreateContract':
      return accountCreate(call.value, context);
    case 'TransferContract':
      return transfer(call.value, context);
    case 'TransferAssetContract':
      return transferAsset(call.value, context);
    case 'AccountPermissionUpdateContract':
      return permissionUpdate(call.value, context);
    case 'FreezeBalanceV2Contract':
      return freeze(call.value, context);
    case 'UnfreezeBalanceV2Contract':
      return unfreeze(call.value, context);
    case 'WithdrawExpireUnfreezeContract':
      return withdrawExpireUnfreeze(call.value, context);
    case 'DelegateResourceContract':
      return delegate(call.value, context);
    case 'UnDelegateResourceContract':
      return unDelegate(call.value, context);
    case 'CancelAllUnfreezeV2Contract':
      return cancelAllUnfreeze(call.value, context);
  }
}
