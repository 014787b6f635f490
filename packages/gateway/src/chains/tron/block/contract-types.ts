// The contracts that can move what is looked for, and the messages around and in them.
import type { Shape } from '../wire/protobuf.ts';

export const transferContract = 1;
const createContract = 30;
const triggerContract = 31;

/** What stands in the bytes of a transaction beside the number of its type. */
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
 * Payloads that are read. All other contracts move no TRX by themselves, or none to an address of ours: what a creation is
 * endowed with goes to the contract that it makes, and ParticipateAssetIssue pays issuers of TRC-10 tokens.
 */
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
