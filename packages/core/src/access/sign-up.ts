// Signing up without an invitation: how long the link holds, and how many sign-ups there may be.
import type { MerchantLimits } from './merchant-limits.ts';

/**
 * Who may open an account on the dashboard. `open`: anybody who gets mails at an address. `invited`: people who were
 * invited. `closed`: people who were invited by the command on the host.
 */
export type SignUpMode = 'open' | 'invited' | 'closed';

/** A link that lies in a mailbox for longer is found by others. */
export const SIGN_UP_HOLDS_MS = 24 * 60 * 60 * 1000;
/** Sign-ups are counted over this time. */
export const SIGN_UPS_WITHIN_MS = 24 * 60 * 60 * 1000;

/** What an operator allows sign-ups. */
export interface SignUpTerms {
  /** The most mails of sign-ups within SIGN_UPS_WITHIN_MS to all addresses together. It bounds the new merchants as well. */
  readonly mostADay: number;
  /** Whether each merchant that signs up begins suspended, until an operator resumes it. */
  readonly isSuspended: boolean;
  /** Of each merchant that signs up, until an operator changes them. */
  readonly limits: MerchantLimits;
}

/** Whether an invitation opens anything; `invitedBy` is null where the command on the host made it. */
export function isInvitationOpen(mode: SignUpMode, { invitedBy }: { readonly invitedBy: string | null }) {
  // mark: closed-is-for-nobody-new
  return mode !== 'closed' || invitedBy === null;
}
