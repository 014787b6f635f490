// Passkeys in the browser: passes the server's request to the device, and the device's answer to the server.
import type { RequestOf, ResponseOf } from '@ducat/contract/dashboard/registry';
import {
  type AuthenticatorTransport,
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';
import { words } from '../words/words.ts';
import { call } from './call.ts';

/** As long as the server accepts the challenge. */
const TIMEOUT_MS = 5 * 60_000;

export function supportsPasskeys(): boolean {
  return browserSupportsWebAuthn();
}

type Known = ResponseOf<'passkeys.begin-showing'>['known'];

function described(known: Known) {
  return known.map(({ passkey_id: id, transports }) => ({
    id,
    type: 'public-key' as const,
    // A browser reported these names once. A browser ignores the names that it does not know.
    transports: transports as AuthenticatorTransport[],
  }));
}

/** Has the browser make a passkey, and the server keep it. Throws what the browser throws where the person cancels. */
export async function addPasskey(name: string): Promise<ResponseOf<'passkeys.add'>> {
  const begun = await call('passkeys.begin-adding', {});
  const { id, response } = await startRegistration({
    optionsJSON: {
      challenge: begun.challenge,
      rp: { id: begun.rp_id, name: words.product },
      user: { id: begun.user_id, name: begun.user_name, displayName: begun.user_name },
      pubKeyCredParams: begun.algorithms.map((alg) => ({ alg, type: 'public-key' })),
      excludeCredentials: described(begun.known),
      authenticatorSelection: { userVerification: 'required', residentKey: 'preferred' },
      attestation: 'none',
      timeout: TIMEOUT_MS,
    },
  });
  return call('passkeys.add', {
    name,
    passkey_id: id,
    client_data: response.clientDataJSON,
    attestation: response.attestationObject,
    transports: response.transports ?? [],
  });
}

/** Has a passkey sign for this session. Throws as `addPasskey` does. */
export async function signWithPasskey(): Promise<RequestOf<'session.enter-passkey'>['assertion']> {
  const begun = await call('passkeys.begin-showing', {});
  const { id, response } = await startAuthentication({
    optionsJSON: {
      challenge: begun.challenge,
      rpId: begun.rp_id,
      allowCredentials: described(begun.known),
      userVerification: 'required',
      timeout: TIMEOUT_MS,
    },
  });
  return {
    passkey_id: id,
    client_data: response.clientDataJSON,
    authenticator_data: response.authenticatorData,
    signature: response.signature,
  };
}
