// The bytes that an approver signs: a version, then each field behind its length, so that no two approvals look alike.
import type { PayoutApproval } from './transfer-intent.ts';

/** What an approver sees and agrees to. */
export interface ApprovedPayout extends Omit<PayoutApproval, 'signature'> {
  /** `cold`: a transfer to cold storage, whose id `payoutId` is then. */
  readonly kind: 'payout' | 'cold';
  readonly payoutId: string;
  readonly chainId: number;
  /** Canonical; null for the native coin. */
  readonly contract: string | null;
  readonly to: string;
  readonly baseUnits: bigint;
}

/** The first field of the bytes for a payout. */
export const APPROVAL_VERSION = 'ducat-payout-approval-1';

/** One version for each kind, so that an approval of one kind never fits the other. */
const VERSIONS = { payout: APPROVAL_VERSION, cold: 'ducat-cold-approval-1' } as const;

/** ASCII throughout: every field is of a form that allows nothing else. */
export function approvalBytes(payout: ApprovedPayout): Uint8Array {
  return fieldBytes([
    // mark: approval-of-one-kind
    VERSIONS[payout.kind],
    payout.payoutId,
    payout.chainId.toString(),
    payout.contract ?? '',
    payout.to,
    payout.baseUnits.toString(),
    payout.feeCap.toString(),
    payout.expiry.toString(),
    payout.approver,
  ]);
}

/** What a second person agrees to where a payout is ended by a word. */
export interface EndingWord {
  readonly payoutId: string;
  readonly status: 'PAID' | 'FAIL';
  readonly approver: string;
}

/** Never equal to the bytes of an approval, so the signature permits no transfer. */
export function endingBytes({ payoutId, status, approver }: EndingWord): Uint8Array {
  return fieldBytes(['ducat-payout-ending-1', payoutId, status, approver]);
}

function fieldBytes(fields: readonly string[]): Uint8Array {
  return Uint8Array.from(fields.flatMap((field) => [...lengthBytes(field.length), ...asciiBytes(field)]));
}

/** Four bytes, the highest first. */
function lengthBytes(length: number): readonly number[] {
  return [length >>> 24, (length >>> 16) & 0xff, (length >>> 8) & 0xff, length & 0xff];
}

function asciiBytes(text: string): readonly number[] {
  return Array.from(text, (character) => character.charCodeAt(0));
}
