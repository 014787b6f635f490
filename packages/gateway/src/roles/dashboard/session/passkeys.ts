// A person's passkeys: adding, naming and removing them, and what a browser needs to have one sign.
import { CHALLENGE_HOLDS_MS, MOST_PASSKEYS } from '@ducat/core/access/second-factors';
import { stepUpEndsAt } from '@ducat/core/access/session-life';
import type { passkeyOperations } from '@ducat/contract/dashboard/passkeys';
import type { RequestOf } from '@ducat/contract/dashboard/registry';
import {
  type ChallengePurpose,
  listPasskeys,
  putChallenge,
  renamePasskey,
  takeChallenge,
} from '../../../db/tables/access/passkeys.ts';
import { addPasskey } from '../../../flows/access/passkeys/add-passkey.ts';
import { removePasskey } from '../../../flows/access/passkeys/remove-passkey.ts';
import { passkeyAlgorithms } from '../../../keys/passkeys.ts';
import { hashOfRecoveryCode, newRecoveryCodes, newToken } from '../../../keys/tokens.ts';
import { type Answer, answer, type Call, type Handlers, refusal, type Session, unknown } from '../call.ts';
import { mailPerson } from '../notices/mail-notice.ts';
import { seconds } from '../texts.ts';
import { beginSession } from './begin-session.ts';
import { type Enrolling, factorSetUpMeanwhile, mayEnrol } from './may-enrol.ts';

type Name = (typeof passkeyOperations)[number]['name'];

const needsName = () =>
  refusal('conflict', 'browsers make passkeys for host names alone, and this dashboard has an IP address');

export const passkeyHandlers: Handlers<Name> = {
  'passkeys.list': async ({ deps, session }) => {
    const passkeys = await listPasskeys(deps.reader, session.person.personId);
    return answer({
      passkeys: passkeys.map(({ passkeyId, name, createdAtMs, usedAtMs }) => ({
        passkey_id: passkeyId,
        name,
        created_at: seconds(createdAtMs),
        used_at: usedAtMs === null ? null : seconds(usedAtMs),
      })),
    });
  },

  'passkeys.begin-adding': async (call) => {
    const allowed = await mayEnrol(call);
    if (!allowed.ok) return allowed;
    const { person } = allowed.value;
    const begun = await begin(call, allowed.value, 'add');
    if (!begun.ok) return begun;
    return answer({
      ...begun.value,
      user_id: Buffer.from(person.personId).toString('base64url'),
      user_name: person.email,
      algorithms: [...passkeyAlgorithms],
    });
  },

  'passkeys.add': async (call, request) => {
    const { deps, nowMs } = call;
    const allowed = await mayEnrol(call);
    if (!allowed.ok) return allowed;
    const { sessionId } = allowed.value.session;
    const challenge = await deps.transact((tx) => takeChallenge(tx, { sessionId, purpose: 'add', nowMs }));
    const { passkey_id: passkeyId, client_data: clientData, attestation } = request;
    const read =
      challenge === null
        ? null
        : await deps.passkeys.readNew(challenge, { passkeyId, clientData, attestation });
    if (read === null)
      return refusal('field-invalid', 'the passkey does not fit, or it took too long', {
        field: 'attestation',
      });
    return add(call, allowed.value, request, read);
  },

  'passkeys.rename': async ({ deps, session, record }, { passkey_id: passkeyId, name }) => {
    const { personId } = session.person;
    const isKnown = await deps.transact(async (tx) => {
      const renamed = await renamePasskey(tx, { personId, passkeyId, name });
      if (renamed) await record(tx, { subject: personId, detail: name });
      return renamed;
    });
    return isKnown ? answer({}) : unknown('passkey');
  },

  'passkeys.remove': async (call, { passkey_id: passkeyId }) => {
    const { deps, session, record } = call;
    const { personId } = session.person;
    const { sessionId } = session.session;
    const { outcome } = await deps.transact(async (tx) => {
      const removed = await removePasskey(tx, { personId, passkeyId, sessionId });
      if (removed.outcome === 'removed') {
        const { name } = removed;
        await mailPerson(tx, call, session.person, { kind: 'passkey-removed', name });
        await record(tx, { subject: personId, detail: name });
      }
      return removed;
    });
    if (outcome === 'last')
      return refusal(
        'conflict',
        'this is the last second factor: set up an authenticator or another passkey first',
      );
    return outcome === 'removed' ? answer({}) : unknown('passkey');
  },

  'passkeys.begin-showing': async (call) => {
    const { session } = call;
    if (session === null || session.session.stage === 'enrolment-needed')
      return refusal('signed-out', 'sign in first');
    return begin(call, session, 'show');
  },
};

/** Makes a challenge of this session, which replaces an earlier one. */
async function begin(
  { deps, nowMs }: Call<'passkeys.begin-showing'>,
  { person, session: { sessionId } }: Session,
  purpose: ChallengePurpose,
) {
  const { rpId } = deps.passkeys;
  if (rpId === null) return needsName();
  const challenge = newToken(deps.world);
  const expiresAtMs = nowMs + CHALLENGE_HOLDS_MS;
  await deps.transact((tx) => putChallenge(tx, { sessionId, challenge, purpose, expiresAtMs }));
  const passkeys = await listPasskeys(deps.reader, person.personId);
  const known = passkeys.map(({ passkeyId, transports }) => ({
    passkey_id: passkeyId,
    transports: [...transports],
  }));
  return answer({ challenge, rp_id: rpId, known });
}

type Added = { readonly stage: 'signed-in'; readonly recovery_codes: string[] };

async function add(
  call: Call<'passkeys.add'>,
  { person, session: { sessionId }, isFirst }: Enrolling,
  { passkey_id: passkeyId, name, transports }: RequestOf<'passkeys.add'>,
  read: { readonly publicKey: Buffer; readonly counter: number },
): Promise<Answer<Added>> {
  const { deps, nowMs, record } = call;
  const { personId } = person;
  const codes = newRecoveryCodes(deps.world);
  const recoveryHashes = codes.map((code) => hashOfRecoveryCode(personId, code));
  const passkey = { passkeyId, personId, ...read, transports, name, createdAtMs: nowMs };
  const done = await deps.transact(async (tx) => {
    const added = await addPasskey(tx, { passkey, sessionId, isFirst, recoveryHashes });
    if (added.outcome !== 'added') return { ...added, token: null };
    const next = {
      person,
      stage: 'signed-in',
      stepUpUntilMs: stepUpEndsAt(nowMs),
      forgets: null,
      mailsNewDevice: false,
    } as const;
    const token = isFirst ? await beginSession(tx, call, next) : null;
    await mailPerson(tx, call, person, { kind: 'passkey-added', name });
    await record(tx, { subject: personId, detail: name });
    return { ...added, token };
  });
  if (done.outcome !== 'added') return REFUSED[done.outcome];
  if (done.token !== null) call.setToken(done.token);
  return answer({ stage: 'signed-in', recovery_codes: done.hasNewRecoveryCodes ? [...codes] : [] });
}

const REFUSED = {
  known: refusal('conflict', 'this passkey is known already'),
  'too-many': refusal('conflict', `a person has ${MOST_PASSKEYS} passkeys at most`),
  changed: factorSetUpMeanwhile,
  'session-over': refusal('signed-out', 'sign in first'),
} as const;
