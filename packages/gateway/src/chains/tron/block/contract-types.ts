// The types of contracts that can move an asked-for currency, and the messages around and in them.
import type { Shape } from '../wire/protobuf.ts';

export const transferContract = 1;
const createContract = 30;
const triggerContract = 31;

/** The type URL that the bytes of a transaction hold beside the number of the type. */
export const typeUrls: ReadonlyMap<number, Buffer> = new Map(
  (
    [
      [transferContract, 'Transfer'],
      [createContract, 'CreateSmart'],
      [triggerContract, 'TriggerSmart'],
    ] as const
  ).map(([type, name]) => [type, Buffer.from(`type.googleapis.com/protocol.${name}Contract`)]),
);

/**
 * The payloads that are read. All other contracts move no TRX by themselves, or none to an address of ours: the value of a
 * creation goes to the contract that it makes, and ParticipateAssetIssue pays issuers of TRC-10 tokens.
 */
export const contractShapes: ReadonlyMap<number, Shape> = new Map<number, Shape>([
  [transferContract, { 1: 'bytes', 2: 'bytes', 3: 'int64' }],
  [triggerContract, { 1: 'bytes', 2: 'bytes', 3: 'int64', 4: 'bytes', 5: 'int64', 6: 'int64' }],
]);

/** The shapes of `raw_data`, of the contract in it, and of the Any around its payload. */
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
