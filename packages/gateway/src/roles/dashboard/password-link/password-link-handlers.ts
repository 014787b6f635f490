// A person who forgot the password chooses a new one by a mailed link. A sign-in still needs the second factor.
import { PASSWORD_LINK_HOLDS_MS } from '@ducat/core/access/password-link';
import type { Tx } from '../../../db/postgres/tx.ts';
import { hasPassword } from '../../../db/tables/access/credentials.ts';
import { findLink, putLink } from '../../../db/tables/access/mailed-links.ts';
import { acceptPasswordLink } from '../../../flows/access/password-link/accept-password-link.ts';
import { beginPasswordLink } from '../../../flows/access/password-link/begin-password-link.ts';
import { hashOfToken, newToken } from '../../../keys/tokens.ts';
import { timeText } from '../../../mail/time-text.ts';
import { answer, type Call, type Handlers, refusal, unknown } from '../call.ts';
import { mailNotice, mailPerson } from '../notices/mail-notice.ts';
import { beginSession } from '../session/begin-session.ts';
import { emailHash } from '../session/email-hash.ts';
import { passwordTrouble } from '../session/password-trouble.ts';
import { stageAfterPassword } from '../session/may-enrol.ts';

type Name = 'password-link.begin' | 'password-link.read' | 'password-link.accept';

const NO_MAIL = unknown('operation');
const FULL = refusal('too-many', 'too many people have asked for a new password: try again later', {
  retryAfterS: 600,
});

export const passwordLinkHandlers: Handlers<Name> = {
  'password-link.begin': async (call, { email, language }) => {
    const { deps, nowMs } = call;
    if (deps.mails === null) return NO_MAIL;
    const isBegun = await deps.transact(async (tx) => {
      const begun = await beginPasswordLink(tx, { email, nowMs });
      if (begun !== null) await mailLink(tx, call, { email, language, ...begun });
      return begun !== null;
    });
    if (isBegun) return answer({ is_caught: deps.caughtMails !== null });
    deps.logger.warn({}, 'links to a new password are at their limit of an hour');
    return FULL;
  },

  'password-link.read': async (call, { token }) => {
    const email = await emailOfLink(call, token);
    return email === null ? unknown('link') : answer({ email });
  },

  'password-link.accept': async (call, { token, password }) => {
    const { deps, nowMs } = call;
    // Checked before the password is hashed, so that a guessed token does not cost a hash.
    const email = await emailOfLink(call, token);
    if (email === null) return unknown('link');
    const trouble = passwordTrouble(password, email);
    if (trouble !== null) return refusal('field-invalid', `password ${trouble}`, { field: 'password' });
    const passwordHash = await deps.passwords.hash(password);
    const done = await deps.transact(async (tx) => {
      const tokenHash = hashOfToken(token);
      const accept = { tokenHash, emailHash: emailHash(email), passwordHash, nowMs };
      const person = await acceptPasswordLink(tx, accept);
      if (person === null) return null;
      const { personId } = person;
      // mark: a-link-stands-for-the-password-alone
      const stage = await stageAfterPassword(tx, personId, deps.demo);
      const begin = { person, stage, stepUpUntilMs: 0, forgets: null, mailsNewDevice: false } as const;
      const session = await beginSession(tx, call, begin);
      await mailPerson(tx, call, person, { kind: 'password-changed' });
      await call.record(tx, { subject: personId, personId, detail: stage });
      return { stage, session };
    });
    if (done === null) return unknown('link');
    call.setToken(done.session);
    return answer({ stage: done.stage });
  },
};

/** Where this mail is left out, the new token is not stored, and a link that was mailed before stays valid. */
async function mailLink(
  tx: Tx,
  call: Call<'password-link.begin'>,
  { email, language, hasAccount }: { email: string; language?: string | undefined; hasAccount: boolean },
): Promise<void> {
  const { deps, nowMs } = call;
  const token = newToken(deps.world);
  const untilMs = nowMs + PASSWORD_LINK_HOLDS_MS;
  const url = `${deps.url}/new-password#${token}`;
  const isNoted = await mailNotice(
    tx,
    call,
    { email, language, isForNobody: !hasAccount },
    { kind: 'password-link', url, untilMs, until: timeText(untilMs) },
  );
  // Also done without an account, where no mail carries the token: every e-mail must cause the same work.
  // mark: password-link-says-nothing
  if (isNoted)
    await putLink(tx, 'password_links', { email, tokenHash: hashOfToken(token), expiresAtMs: untilMs });
}

/** Null where the link is unknown or has expired, or its account has no password. */
async function emailOfLink(
  { deps, nowMs }: Call<'password-link.read'>,
  token: string,
): Promise<string | null> {
  if (deps.mails === null) return null;
  const found = await findLink(deps.reader, 'password_links', hashOfToken(token));
  if (found === null || found.expiresAtMs <= nowMs) return null;
  return (await hasPassword(deps.reader, found.email)) ? found.email : null;
}
