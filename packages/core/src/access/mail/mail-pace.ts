// How many mails a person gets, and when one that did not go out is tried again.
import { MOST_PASSWORD_LINKS_OF_ONE, PASSWORD_LINK_HOLDS_MS } from '../password-link.ts';
import type { Notice } from './notice.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** By kind, so that many harmless notices keep out none of another kind. */
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
/** As many as there are sign-ups, which have a limit of their own: operators are mailed each of them. */
const OPENED: MailPace = { withinMs: HOUR, most: Infinity, saysLast: false };

export function mailPaceOf(kind: Notice['kind']): MailPace {
  if (kind === 'merchant-opened') return OPENED;
  if (kind === 'password-link') return PASSWORD_LINKS;
  return kind === 'sign-up' ? SIGN_UPS : NOTICES;
}

/** Invitations that the people of one merchant have mailed to any address. */
export const INVITED_WITHIN_MS = 24 * HOUR;
const MOST_INVITED = 50;

export interface MailedBefore {
  /** Of this kind, to this address, within the time of its pace; about the same merchant, where it is a notice about one. */
  readonly alike: number;
  /** Invitations of this merchant, within INVITED_WITHIN_MS; 0 for what is no invitation. */
  readonly invited: number;
}

/** `room`: the mail is sent. `last`: it is sent and says that no more of its kind follow within the hour. `none`: it is left out. */
export function roomForMail(
  { alike, invited }: MailedBefore,
  { most, saysLast }: MailPace,
): 'room' | 'last' | 'none' {
  if (alike >= most || invited >= MOST_INVITED) return 'none';
  return saysLast && alike === most - 1 ? 'last' : 'room';
}

/** Notices are of use for so long; an invitation as long as its link. */
export const NOTICE_HOLDS_MS = 72 * HOUR;

/** After so many attempts in vain; the last one for all that follow. */
const WAITS_MS = [15 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR] as const;

/** When the next attempt is due, null where the mail would be of no use any more. */
export function nextMailAttemptMs(attempts: number, nowMs: number, expiresAtMs: number): number | null {
  const dueMs = nowMs + (WAITS_MS[attempts - 1] ?? HOUR);
  return dueMs < expiresAtMs ? dueMs : null;
}
