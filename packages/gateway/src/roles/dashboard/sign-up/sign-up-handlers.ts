// Signing up without an invitation: a mail to an address, and the account and merchant that its link opens.
import { SIGN_UP_HOLDS_MS } from '@ducat/core/access/sign-up';
import { DEFAULT_DEPOSIT_FEE_PPM } from '@ducat/core/ledger/recipes';
import type { Tx } from '../../../db/postgres/tx.ts';
import { findLink, putLink } from '../../../db/tables/access/mailed-links.ts';
import { acceptSignUp } from '../../../flows/access/sign-up/accept-sign-up.ts';
import { beginSignUp } from '../../../flows/access/sign-up/begin-sign-up.ts';
import { hashOfToken, newToken } from '../../../keys/tokens.ts';
import { timeText } from '../../../mail/time-text.ts';
import { newMerchantId, newPersonId } from '../../../runtime/ids.ts';
import { answer, type Call, type Handlers, refusal, unknown } from '../call.ts';
import { mailNotice, mailOperators } from '../notices/mail-notice.ts';
import { beginSession } from '../session/begin-session.ts';
import { passwordTrouble } from '../session/password-trouble.ts';
import { listCaughtMails } from './caught-mails.ts';

type Name = 'sign-up.begin' | 'sign-up.read' | 'sign-up.accept' | 'mails.list-caught';

const NOT_OPEN = refusal('sign-up-closed', 'nobody can sign up here: ask the operator for an invitation');
/** The limit counts the last 24 hours, so there may be room again in an hour. */
const FULL = refusal('sign-ups-full', 'too many people have signed up today: try again later', {
  retryAfterS: 3_600,
});

export const signUpHandlers: Handlers<Name> = {
  'mails.list-caught': listCaughtMails,

  'sign-up.begin': async (call, { email, language }) => {
    const { deps, nowMs } = call;
    if (deps.signUp !== 'open') return NOT_OPEN;
    const { mostADay } = deps.signUpTerms;
    const { outcome } = await deps.transact(async (tx) => {
      const begun = await beginSignUp(tx, { email, mostADay, nowMs });
      if (begun.outcome === 'begun') await mailLink(tx, call, { email, language, ...begun });
      return begun;
    });
    if (outcome === 'begun') return answer({ is_caught: deps.caughtMails !== null });
    if (outcome === 'unoperated') return NOT_OPEN;
    deps.logger.warn({ most: mostADay }, 'sign-ups are at their limit of a day');
    return FULL;
  },

  'sign-up.read': async (call, { token }) => {
    const found = await openSignUp(call, token);
    return found === null ? unknown('sign-up') : answer({ email: found.email });
  },

  'sign-up.accept': async (call, { token, merchant_name: merchantName, name, password, language }) => {
    const { deps, nowMs } = call;
    // Checked before the password is hashed, so that a guessed token does not cost a hash.
    const found = await openSignUp(call, token);
    if (found === null) return unknown('sign-up');
    const trouble = passwordTrouble(password, found.email);
    if (trouble !== null) return refusal('field-invalid', `password ${trouble}`, { field: 'password' });
    const passwordHash = await deps.passwords.hash(password);
    const stage = deps.demo ? 'signed-in' : 'enrolment-needed';
    const merchantId = newMerchantId(deps.world);
    const done = await deps.transact(async (tx) => {
      const signedUp = await acceptSignUp(tx, {
        tokenHash: hashOfToken(token),
        person: { personId: newPersonId(deps.world), name, language },
        passwordHash,
        merchant: { merchantId, name: merchantName, depositFeePpm: Number(DEFAULT_DEPOSIT_FEE_PPM) },
        isSuspended: deps.signUpTerms.isSuspended,
        limits: deps.signUpTerms.limits,
        nowMs,
      });
      if (signedUp.outcome !== 'accepted') return signedUp;
      const { personId, email } = signedUp;
      const begin = { person: { personId, email }, stage, stepUpUntilMs: 0, forgets: null } as const;
      const session = await beginSession(tx, call, { ...begin, mailsNewDevice: false });
      const url = `${deps.url}/operator/merchants`;
      await mailOperators(tx, call, { kind: 'merchant-opened', merchantName, by: email, url });
      // The e-mail stands first, so that no merchant's name can look like another owner.
      const detail = `owner ${email}, ${merchantName}`;
      await call.record(tx, { subject: merchantId, merchantId, personId, detail });
      return { outcome: 'opened', session } as const;
    });
    if (done.outcome === 'opened') {
      call.setToken(done.session);
      return answer({ stage });
    }
    return done.outcome === 'unknown'
      ? unknown('sign-up')
      : refusal('conflict', 'this e-mail has an account by now: sign in');
  },
};

/** Where this mail is left out, the new token is not stored, and a link that was mailed before stays valid. */
async function mailLink(
  tx: Tx,
  call: Call<'sign-up.begin'>,
  { email, language, hasAccount }: { email: string; language?: string | undefined; hasAccount: boolean },
): Promise<void> {
  const { deps, nowMs } = call;
  const token = newToken(deps.world);
  const untilMs = nowMs + SIGN_UP_HOLDS_MS;
  const isMailed = await mailNotice(
    tx,
    call,
    { email, language },
    {
      kind: 'sign-up',
      hasAccount,
      url: hasAccount ? deps.url : `${deps.url}/sign-up#${token}`,
      untilMs,
      until: timeText(untilMs),
    },
  );
  // Also done where there is an account, whose owner never gets this token: every e-mail must cause the same work.
  // mark: sign-up-says-nothing
  if (isMailed) await putLink(tx, 'sign_ups', { email, tokenHash: hashOfToken(token), expiresAtMs: untilMs });
}

async function openSignUp({ deps, nowMs }: Call<'sign-up.read'>, token: string) {
  if (deps.signUp !== 'open') return null;
  const found = await findLink(deps.reader, 'sign_ups', hashOfToken(token));
  return found === null || found.expiresAtMs <= nowMs ? null : found;
}
