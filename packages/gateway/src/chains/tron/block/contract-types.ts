// The contracts of the chain by number: their names, and the messages of those that can move what is looked for.
import type { Shape } from '../wire/protobuf.ts';

export const transferContract = 1;
export const createContract = 30;
export const triggerContract = 31;

/**
 * Every type that nodes execute or once did, without the "Contract" at the end of each name. What is not here may move
 * anything. ParticipateAssetIssue pays TRX to the issuer of a TRC-10 token, which our addresses never do.
 */
const names = `
  0 AccountCreate 1 Transfer 2 TransferAsset 3 VoteAsset 4 VoteWitness 5 WitnessCreate 6 AssetIssue 8 WitnessUpdate
  9 ParticipateAssetIssue 10 AccountUpdate 11 FreezeBalance 12 UnfreezeBalance 13 WithdrawBalance 14 UnfreezeAsset
  15 UpdateAsset 16 ProposalCreate 17 ProposalApprove 18 ProposalDelete 19 SetAccountId 30 CreateSmart 31 TriggerSmart
  33 UpdateSetting 41 ExchangeCreate 42 ExchangeInject 43 ExchangeWithdraw 44 ExchangeTransaction 45 UpdateEnergyLimit
  46 AccountPermissionUpdate 48 ClearABI 49 UpdateBrokerage 51 ShieldedTransfer 52 MarketSellAsset 53 MarketCancelOrder
  54 FreezeBalanceV2 55 UnfreezeBalanceV2 56 WithdrawExpireUnfreeze 57 DelegateResource 58 UnDelegateResource
  59 CancelAllUnfreezeV2`;

/** What stands in the bytes of a transaction beside the number of its type. */
export const typeUrls: ReadonlyMap<number, Buffer> = new Map(
  [...names.matchAll(/(\d+) (\w+)/g)].map(([, type, name]) => [
    Number(type),
    Buffer.from(`type.googleapis.com/protocol.${name}Contract`),
  ]),
);

/** Payloads that are read: the others move no TRX by themselves, or none to an address of ours. */
export const contractShapes: ReadonlyMap<number, Shape> = new Map<number, Shape>([
  [transferContract, { 1: 'bytes', 2: 'bytes', 3: 'int64' }],
  [triggerContract, { 1: 'bytes', 2: 'bytes', 3: 'int64', 4: 'bytes', 5: 'int64', 6: 'int64' }],
]);

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
