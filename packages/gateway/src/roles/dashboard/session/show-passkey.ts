// A person shows a passkey by signing a challenge of this session; `then` writes what it allows in the same transaction.
import type { RequestOf } from '@ducat/contract/dashboard/registry';
import type { Tx } from '../../../db/postgres/tx.ts';
import { lockCredentials } from '../../../db/tables/access/credentials.ts';
import { countUse, listPasskeys, takeChallenge } from '../../../db/tables/access/passkeys.ts';
import { type Answer, answer, type Call, refusal, type Session } from '../call.ts';

type ShownAssertion = RequestOf<'session.enter-passkey'>['assertion'];

export async function showPasskey<T>(
  { deps, nowMs, record }: Pick<Call<'session.sign-in'>, 'deps' | 'nowMs' | 'record'>,
  { person: { personId }, session: { sessionId } }: Session,
  shown: ShownAssertion,
  then: (tx: Tx) => Promise<T>,
): Promise<Answer<T>> {
  const passkeys = await listPasskeys(deps.reader, personId);
  const passkey = passkeys.find(({ passkeyId }) => passkeyId === shown.passkey_id);
  // mark: a-challenge-is-used-once
  const challenge = await deps.transact((tx) => takeChallenge(tx, { sessionId, purpose: 'show', nowMs }));
  const counter =
    passkey === undefined || challenge === null
      ? null
      : await deps.passkeys.readUsed(challenge, passkey, {
          passkeyId: shown.passkey_id,
          clientData: shown.client_data,
          authenticatorData: shown.authenticator_data,
          signature: shown.signature,
        });
  return deps.transact(async (tx) => {
    // The credentials are locked before the passkey is used, because the flows that remove passkeys lock the credentials
    // too.
    await lockCredentials(tx, personId);
    const isRight =
      passkey !== undefined && counter !== null && (await countUse(tx, passkey, counter, nowMs));
    if (isRight) return answer(await then(tx));
    await record(tx, { subject: personId, detail: 'wrong passkey' });
    return refusal('field-invalid', 'the passkey does not fit', { field: 'assertion' });
  });
}
