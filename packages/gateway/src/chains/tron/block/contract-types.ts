// The contracts of the chain by number: their names, and the messages of those that can move what is watched.
import type { Shape } from '../wire/protobuf.ts';

export const transferContract = 1;
export const createContract = 30;
export const triggerContract = 31;

/** Every type that nodes execute or once did. What is not here may move anything, so it is named as untraced. */
export const contractNames: ReadonlyMap<number, string> = new Map([
  [0, 'AccountCreateContract'],
  [transferContract, 'TransferContract'],
  [2, 'TransferAssetContract'],
  [3, 'VoteAssetContract'],
  [4, 'VoteWitnessContract'],
  [5, 'WitnessCreateContract'],
  [6, 'AssetIssueContract'],
  [8, 'WitnessUpdateContract'],
  // Pays TRX to whoever issued a TRC-10 token, which a deposit address never does.
  [9, 'ParticipateAssetIssueContract'],
  [10, 'AccountUpdateContract'],
  [11, 'FreezeBalanceContract'],
  [12, 'UnfreezeBalanceContract'],
  [13, 'WithdrawBalanceContract'],
  [14, 'UnfreezeAssetContract'],
  [15, 'UpdateAssetContract'],
  [16, 'ProposalCreateContract'],
  [17, 'ProposalApproveContract'],
  [18, 'ProposalDeleteContract'],
  [19, 'SetAccountIdContract'],
  [createContract, 'CreateSmartContract'],
  [triggerContract, 'TriggerSmartContract'],
  [33, 'UpdateSettingContract'],
  [41, 'ExchangeCreateContract'],
  [42, 'ExchangeInjectContract'],
  [43, 'ExchangeWithdrawContract'],
  [44, 'ExchangeTransactionContract'],
  [45, 'UpdateEnergyLimitContract'],
  [46, 'AccountPermissionUpdateContract'],
  [48, 'ClearABIContract'],
  [49, 'UpdateBrokerageContract'],
  [51, 'ShieldedTransferContract'],
  [52, 'MarketSellAssetContract'],
  [53, 'MarketCancelOrderContract'],
  [54, 'FreezeBalanceV2Contract'],
  [55, 'UnfreezeBalanceV2Contract'],
  [56, 'WithdrawExpireUnfreezeContract'],
  [57, 'DelegateResourceContract'],
  [58, 'UnDelegateResourceContract'],
  [59, 'CancelAllUnfreezeV2Contract'],
]);

/** Payloads that are read. TransferAssetContract moves TRC-10 alone, but a payload of it must not pass for another. */
export const contractShapes: ReadonlyMap<number, Shape> = new Map<number, Shape>([
  [transferContract, { 1: 'bytes', 2: 'bytes', 3: 'int64' }],
  [2, { 1: 'bytes', 2: 'bytes', 3: 'bytes', 4: 'int64' }],
  [createContract, { 1: 'bytes', 2: 'message', 3: 'int64', 4: 'int64' }],
  [triggerContract, { 1: 'bytes', 2: 'bytes', 3: 'int64', 4: 'bytes', 5: 'int64', 6: 'int64' }],
]);

/** The contract that a creation makes. Its ABI (3) is somebody else's message, and nothing in it is read. */
export const createdShape: Shape = {
  1: 'bytes',
  2: 'bytes',
  3: 'message',
  4: 'bytes',
  5: 'int64',
  6: 'int64',
  7: 'bytes',
  8: 'int64',
  9: 'bytes',
  10: 'bytes',
  11: 'int32',
};

/** `raw_data`, the contract in it, and the Any around its payload. */
export const rawShape: Shape = {
  1: 'bytes',
  3: 'int64',
  4: 'bytes',
  8: 'int64',
  9: 'messages',
  10: 'bytes',
  11: 'messages',
  12: 'bytes',
  14: 'int64',
  18: 'int64',
};
export const contractShape: Shape = { 1: 'int32', 2: 'message', 3: 'bytes', 4: 'bytes', 5: 'int32' };
export const anyShape: Shape = { 1: 'bytes', 2: 'bytes' };
