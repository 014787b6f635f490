// The contract messages that this chain executes: schema, name and type number of each.
import { address, bool, bytes, enumOf, int64, nested, repeated, string, text } from './schema.ts';

export const resourceNames = ['BANDWIDTH', 'ENERGY', 'TRON_POWER'] as const;
export type Resource = (typeof resourceNames)[number];

const key = { address: address(1), weight: int64(2) };
const permission = {
  type: enumOf(1, ['Owner', 'Witness', 'Active']),
  id: int64(2),
  permission_name: string(3),
  threshold: int64(4),
  parent_id: int64(5),
  operations: bytes(6),
  keys: repeated(nested(7, key)),
};

const abiParam = { indexed: bool(1), name: string(2), type: string(3) };
const abiEntry = {
  anonymous: bool(1),
  constant: bool(2),
  name: string(3),
  inputs: repeated(nested(4, abiParam)),
  outputs: repeated(nested(5, abiParam)),
  type: enumOf(6, ['UnknownEntryType', 'Constructor', 'Function', 'Event', 'Fallback', 'Receive', 'Error']),
  payable: bool(7),
  stateMutability: enumOf(8, ['UnknownMutabilityType', 'Pure', 'View', 'Nonpayable', 'Payable']),
};

export const smartContract = {
  origin_address: address(1),
  contract_address: address(2),
  abi: nested(3, { entrys: repeated(nested(1, abiEntry)) }),
  bytecode: bytes(4),
  call_value: int64(5),
  consume_user_resource_percent: int64(6),
  name: string(7),
  origin_energy_limit: int64(8),
  code_hash: bytes(9),
  trx_hash: bytes(10),
  version: int64(11),
};

export const contractSchemas = {
  AccountCreateContract: {
    owner_address: address(1),
    account_address: address(2),
    type: enumOf(3, ['Normal', 'AssetIssue', 'Contract']),
  },
  TransferContract: { owner_address: address(1), to_address: address(2), amount: int64(3) },
  TransferAssetContract: {
    asset_name: text(1),
    owner_address: address(2),
    to_address: address(3),
    amount: int64(4),
  },
  CreateSmartContract: {
    owner_address: address(1),
    new_contract: nested(2, smartContract),
    call_token_value: int64(3),
    token_id: int64(4),
  },
  TriggerSmartContract: {
    owner_address: address(1),
    contract_address: address(2),
    call_value: int64(3),
    data: bytes(4),
    call_token_value: int64(5),
    token_id: int64(6),
  },
  AccountPermissionUpdateContract: {
    owner_address: address(1),
    owner: nested(2, permission),
    witness: nested(3, permission),
    actives: repeated(nested(4, permission)),
  },
  FreezeBalanceV2Contract: {
    owner_address: address(1),
    frozen_balance: int64(2),
    resource: enumOf(3, resourceNames),
  },
  UnfreezeBalanceV2Contract: {
    owner_address: address(1),
    unfreeze_balance: int64(2),
    resource: enumOf(3, resourceNames),
  },
  WithdrawExpireUnfreezeContract: { owner_address: address(1) },
  DelegateResourceContract: {
    owner_address: address(1),
    resource: enumOf(2, resourceNames),
    balance: int64(3),
    receiver_address: address(4),
    lock: bool(5),
    lock_period: int64(6),
  },
  UnDelegateResourceContract: {
    owner_address: address(1),
    resource: enumOf(2, resourceNames),
    balance: int64(3),
    receiver_address: address(4),
  },
  CancelAllUnfreezeV2Contract: { owner_address: address(1) },
} as const;

export type ContractName = keyof typeof contractSchemas;

/** Type number of each contract, as `Transaction.Contract.type` carries it. */
export const contractNumbers: Readonly<Record<ContractName, number>> = {
  AccountCreateContract: 0,
  TransferContract: 1,
  TransferAssetContract: 2,
  CreateSmartContract: 30,
  TriggerSmartContract: 31,
  AccountPermissionUpdateContract: 46,
  FreezeBalanceV2Contract: 54,
  UnfreezeBalanceV2Contract: 55,
  WithdrawExpireUnfreezeContract: 56,
  DelegateResourceContract: 57,
  UnDelegateResourceContract: 58,
  CancelAllUnfreezeV2Contract: 59,
};

export function isContractName(name: string): name is ContractName {
  return Object.hasOwn(contractSchemas, name);
}

export const typeUrlPrefix = 'type.googleapis.com/protocol.';
