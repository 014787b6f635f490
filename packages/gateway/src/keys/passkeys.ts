// Verifies what a passkey signed: for our origin, over our challenge, with user verification by the device.
import type {
  VerifyAuthenticationResponseOpts,
  VerifyRegistrationResponseOpts,
} from '@simplewebauthn/server';
import type { AttestationObject } from '@simplewebauthn/server/helpers';

/** A new credential as browsers return it, each value in base64url. */
export interface NewCredential {
  readonly passkeyId: string;
  readonly clientData: string;
  readonly attestation: string;
}

export interface Assertion {
  readonly passkeyId: string;
  readonly clientData: string;
  readonly authenticatorData: string;
  readonly signature: string;
}

export interface Passkeys {
  /** The host that passkeys are bound to; null where the dashboard has an IP address: browsers make no passkeys for one. */
  readonly rpId: string | null;
  /** The public key of a new passkey; null where the credential is not one for this challenge. */
  readNew(
    challenge: string,
    credential: NewCredential,
  ): Promise<{ readonly publicKey: Buffer; readonly counter: number } | null>;
  /** The passkey's signature counter; null where the assertion is not one for this challenge. */
  readUsed(
    challenge: string,
    passkey: { readonly publicKey: Buffer; readonly counter: number },
    assertion: Assertion,
  ): Promise<number | null>;
}

/** EdDSA, ES256 and RS256. Every browser supports at least one of them. */
export const passkeyAlgorithms: readonly number[] = [-8, -7, -257];

/** `url` is the origin of the dashboard. */
export function createPasskeys(url: string): Passkeys {
  const rpId = rpIdOf(url);
  const expected = { expectedOrigin: url, expectedRPID: rpId ?? '', requireUserVerification: true };
  return {
    rpId,
    readNew: async (expectedChallenge, { passkeyId, clientData, attestation }) => {
      const response = {
        ...named(passkeyId),
        response: { clientDataJSON: clientData, attestationObject: attestation },
      };
      const { verifyRegistrationResponse, decodeAttestation } = await loadWebAuthn();
      const verified = await unlessWrong(async () => {
        if (bringsCertificates(decodeAttestation(attestation))) return null;
        return verifyRegistrationResponse({
          ...expected,
          expectedChallenge,
          response,
          supportedAlgorithmIDs: [...passkeyAlgorithms],
        } satisfies VerifyRegistrationResponseOpts);
      });
      if (verified?.verified !== true || rpId === null) return null;
      const { id, publicKey, counter } = verified.registrationInfo.credential;
      return id === passkeyId ? { publicKey: Buffer.from(publicKey), counter } : null;
    },
    readUsed: async (expectedChallenge, { publicKey, counter }, assertion) => {
      const { passkeyId, clientData, authenticatorData, signature } = assertion;
      const response = {
        ...named(passkeyId),
        response: { clientDataJSON: clientData, authenticatorData, signature },
      };
      const credential = { id: passkeyId, publicKey: Uint8Array.from(publicKey), counter };
      const { verifyAuthenticationResponse } = await loadWebAuthn();
      const verified = await unlessWrong(() =>
        verifyAuthenticationResponse({
          ...expected,
          expectedChallenge,
          response,
          credential,
        } satisfies VerifyAuthenticationResponseOpts),
      );
      return verified?.verified === true && rpId !== null ? verified.authenticationInfo.newCounter : null;
    },
  };
}

/** Loaded with the first passkey, because the library and its dependencies take 15 MB of memory. */
async function loadWebAuthn() {
  const [server, { decodeAttestationObject, isoBase64URL }] = await Promise.all([
    import('@simplewebauthn/server'),
    import('@simplewebauthn/server/helpers'),
  ]);
  return {
    ...server,
    decodeAttestation: (attestation: string) => decodeAttestationObject(isoBase64URL.toBuffer(attestation)),
  };
}

function rpIdOf(url: string): string | null {
  const { hostname } = new URL(url);
  return /^[\d.]+$|^\[/.test(hostname) ? null : hostname;
}

function named(passkeyId: string) {
  return { id: passkeyId, rawId: passkeyId, type: 'public-key', clientExtensionResults: {} } as const;
}

/**
 * Attestation is not requested, so browsers send none, or one that the passkey signed itself. All other formats are refused:
 * for them the library would parse certificates that the sender made, and fetch revocation lists from URLs in them.
 */
function bringsCertificates(decoded: AttestationObject): boolean {
  const format = decoded.get('fmt');
  if (format === 'packed') return decoded.get('attStmt').get('x5c') !== undefined;
  return format !== 'none';
}

/** Null where the library throws, which it does for every mismatch, from a wrong challenge to bytes that are no CBOR. */
async function unlessWrong<T>(verify: () => Promise<T>): Promise<T | null> {
  try {
    return await verify();
  } catch {
    return null;
  }
}
