// Sends the waiting mails. Each mail is claimed under a lease, so that it is sent again where the process died.
import { nextMailAttemptMs } from '@ducat/core/access/mail/mail-pace';
import type { Transact } from '../../db/postgres/tx.ts';
import {
  type ClaimedMail,
  claimMails,
  deleteOldMails,
  endMail,
  putOffMail,
} from '../../db/tables/access/mails.ts';
import type { MailSealing } from '../../keys/mail-sealing.ts';
import type { MailWay } from '../../mail/port.ts';
import type { Log } from '../../runtime/log.ts';
import { Outage } from '../../runtime/outage.ts';
import { pacer, type World } from '../../runtime/world.ts';

export interface MailerParts {
  readonly transact: Transact;
  readonly world: World;
  readonly way: MailWay;
  readonly sealing: Pick<MailSealing, 'unseal'>;
  readonly log: Log;
}

const LOOK_EVERY_MS = 2_000;
const CLEAR_EVERY_MS = 60_000;
const CLAIMED_AT_ONCE = 5;
/** Longer than sending all claimed mails takes, with every step of SMTP at its time limit. */
const LEASE_MS = 10 * 60_000;
/** Ended mails are counted for a day; then their rows go. */
const KEPT_MS = 2 * 24 * 60 * 60_000;

/** Runs until the signal. A database or a mail server that is away is tried again later. */
export async function runMailer(parts: MailerParts, signal: AbortSignal): Promise<void> {
  const { world, log } = parts;
  const clearingIsDue = pacer(world, CLEAR_EVERY_MS);
  while (!signal.aborted) {
    try {
      if (clearingIsDue()) await clearOldMails(parts);
      const sent = await sendDueMails(parts, signal);
      if (sent === CLAIMED_AT_ONCE) continue;
    } catch (error) {
      if (!(error instanceof Outage)) throw error;
      log.warn({ error }, 'mails cannot be looked at');
    }
    await world.sleep(LOOK_EVERY_MS, signal);
  }
}

export async function clearOldMails({ transact, world }: MailerParts): Promise<void> {
  await transact((tx) => deleteOldMails(tx, world.nowMs() - KEPT_MS), 'one-statement');
}

/** Returns how many mails were claimed. */
export async function sendDueMails(parts: MailerParts, signal: AbortSignal): Promise<number> {
  const { transact, world } = parts;
  const nowMs = world.nowMs();
  const claim = { nowMs, leaseMs: LEASE_MS, limit: CLAIMED_AT_ONCE };
  const mails = await transact((tx) => claimMails(tx, claim), 'one-statement');
  for (const mail of mails) {
    // Mails that are not begun at a stop are sent when their leases are over.
    if (signal.aborted) break;
    await sendMail(parts, mail);
  }
  return mails.length;
}

async function sendMail(
  { transact, world, way, sealing, log }: MailerParts,
  mail: ClaimedMail,
): Promise<void> {
  const { mailId, recipient, kind, attempt, expiresAtMs } = mail;
  const fields = { flow: 'send-mail', mailId, kind, attempt };
  if (world.nowMs() >= expiresAtMs) {
    await transact((tx) => endMail(tx, mail, 'expired'));
    log.warn({ ...fields, outcome: 'expired' }, 'a mail was not sent in time');
    return;
  }
  try {
    const outcome = await way.send({ mailId, recipient, ...sealing.unseal(mailId, mail.sealed) });
    await transact((tx) => endMail(tx, mail, outcome));
    log[outcome === 'sent' ? 'info' : 'warn']({ ...fields, outcome }, 'a mail has ended');
  } catch (error) {
    if (!(error instanceof Outage)) throw error;
    const dueAtMs = nextMailAttemptMs(attempt, world.nowMs(), expiresAtMs);
    await transact((tx) => (dueAtMs === null ? endMail(tx, mail, 'expired') : putOffMail(tx, mail, dueAtMs)));
    log.warn({ ...fields, outcome: dueAtMs === null ? 'expired' : 'put off', error }, 'a mail was not taken');
  }
}
