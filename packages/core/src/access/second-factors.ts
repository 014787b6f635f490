// The second factors of a person: an authenticator, passkeys, or both. One always remains.

export interface SecondFactors {
  readonly hasAuthenticator: boolean;
  readonly passkeys: number;
}

/** More than a person has devices. */
export const MOST_PASSKEYS = 20;

/** How long a browser has for signing a challenge: the person may have to look for a key. */
export const CHALLENGE_HOLDS_MS = 5 * 60 * 1000;

export function hasSecondFactor({ hasAuthenticator, passkeys }: SecondFactors): boolean {
  return hasAuthenticator || passkeys > 0;
}

/** Whether a second factor remains without one passkey. If none did, a password alone would set up the next. */
export function mayRemovePasskey(factors: SecondFactors): boolean {
  return hasSecondFactor({ ...factors, passkeys: factors.passkeys - 1 });
}
