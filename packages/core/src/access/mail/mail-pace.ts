// How many mails a person gets, and when a mail that could not be sent is retried.
import { MOST_PASSWORD_LINKS_OF_ONE, PASSWORD_LINK_HOLDS_MS } from '../password-link.ts';
import type { Notice } from './notice.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The limit of one kind of mail. Kinds have limits of their own, so that many harmless notices keep out no other kind. */
export interface MailPace {
  readonly withinMs: number;
  readonly most: number;
  /** Whether the last mail says that no more follow. */
  readonly saysLast: boolean;
}

const NOTICES: MailPace = { withinMs: HOUR, most: 5, saysLast: true };
/** Anybody can have these sent to any address. */
const SIGN_UPS: MailPace = { withinMs: 24 * HOUR, most: 3, saysLast: false };
/** Anybody who knows an e-mail can have these sent to its owner. */
const PASSWORD_LINKS: MailPace = {
  withinMs: PASSWORD_LINK_HOLDS_MS,
  most: MOST_PASSWORD_LINKS_OF_ONE,
  saysLast: false,
};
/** Operators are mailed every sign-up that opens a merchant. Sign-ups have a limit of their own. */
const OPENED: MailPace = { withinMs: HOUR, most: Infinity, saysLast: false };

export function mailPaceOf(kind: Notice['kind']): MailPace {
  if (kind === 'merchant-opened') return OPENED;
  if (kind === 'password-link') return PASSWORD_LINKS;
  return kind === 'sign-up' ? SIGN_UPS : NOTICES;
}

/** The time over which the invitations of one merchant are counted, to all addresses together. */
export const INVITED_WITHIN_MS = 24 * HOUR;
const MOST_INVITED = 50;

export interface MailedBefore {
  /** Mails of this kind to this address within `withinMs`. A notice about a merchant counts those about the same one. */
  readonly alike: number;
  /** Invitations of this merchant, within INVITED_WITHIN_MS; 0 where the mail is no invitation. */
  readonly invited: number;
}

/** `room`: the mail is sent. `last`: sent, and says that no more of its kind follow within the hour. `none`: left out. */
export function roomForMail(
  { alike, invited }: MailedBefore,
  { most, saysLast }: MailPace,
): 'room' | 'last' | 'none' {
  if (alike >= most || invited >= MOST_INVITED) return 'none';
  return saysLast && alike === most - 1 ? 'last' : 'room';
}

/** Notices are of use for so long; an invitation as long as its link. */
export const NOTICE_HOLDS_MS = 72 * HOUR;

/** The wait after each failed attempt; the last one counts for all further attempts. */
const WAITS_MS = [15 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR] as const;

/** When the next attempt is due, null where the mail would be of no use any more. */
export function nextMailAttemptMs(attempts: number, nowMs: number, expiresAtMs: number): number | null {
  const dueMs = nowMs + (WAITS_MS[attempts - 1] ?? HOUR);
  return dueMs < expiresAtMs ? dueMs : null;
}
