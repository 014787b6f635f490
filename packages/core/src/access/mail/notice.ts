// What a person is mailed: an invitation, a sign-up, a new password, or something that happened to an account or a merchant.
import type { MemberRole } from '../permissions.ts';

/** Where and by which browser something was done. */
export interface Circumstances {
  /** The time in words. */
  readonly at: string;
  /** The network address; "" for the command line, and where the reader may not know it. Without it no browser is named. */
  readonly address: string;
  readonly userAgent: string;
}

/** What happened to an app, and is mailed to those who administer its merchant. */
export type AppNoticeKind =
  | 'app-key-rotated'
  | 'payout-rules-changed'
  | 'webhook-changed'
  /** From which network addresses its API may be used. */
  | 'sources-changed'
  | 'tolerance-changed';

export type Notice =
  | {
      readonly kind: 'invitation';
      /** Null for an operator of the gateway. */
      readonly merchantName: string | null;
      readonly role: MemberRole | null;
      /** The e-mail of the person who invites; null for the command line. */
      readonly invitedBy: string | null;
      /** The one secret that a mail may carry: it works once. */
      readonly url: string;
      readonly untilMs: number;
      /** The same in words. */
      readonly until: string;
    }
  | {
      readonly kind: 'sign-up';
      /** Whether there is an account of this e-mail. Then the link leads to the sign-in, and is no secret. */
      readonly hasAccount: boolean;
      readonly url: string;
      readonly untilMs: number;
      readonly until: string;
    }
  | {
      /** For a person who forgot the password. */
      readonly kind: 'password-link';
      /** A secret, as that of an invitation. */
      readonly url: string;
      readonly untilMs: number;
      readonly until: string;
    }
  | {
      /** For operators. */
      readonly kind: 'merchant-opened';
      readonly merchantName: string;
      /** The e-mail of its owner. */
      readonly by: string;
      readonly url: string;
    }
  | { readonly kind: 'sign-in-reset'; readonly url: string; readonly at: string }
  | ({ readonly kind: 'new-device' | 'password-changed' | 'authenticator-changed' } & Circumstances)
  | ({ readonly kind: 'recovery-code-used'; readonly codesLeft: number } & Circumstances)
  | ({ readonly kind: 'passkey-added' | 'passkey-removed'; readonly name: string } & Circumstances)
  | ({ readonly kind: 'recovery-codes-renewed' } & Circumstances)
  | ({
      readonly kind: AppNoticeKind;
      readonly merchantName: string;
      readonly appName: string;
      /** The e-mail of the person who did it. */
      readonly by: string;
    } & Circumstances)
  | ({
      readonly kind: 'role-changed';
      readonly merchantName: string;
      /** The e-mail of the person whose role it is. */
      readonly member: string;
      /** Null where the person is no member any more. */
      readonly role: MemberRole | null;
      readonly by: string;
    } & Circumstances)
  | ({
      readonly kind: 'member-joined';
      readonly merchantName: string;
      /** The e-mail of the person who joined. */
      readonly member: string;
      readonly role: MemberRole;
    } & Circumstances);
