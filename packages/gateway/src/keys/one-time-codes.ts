// One-time codes (TOTP, RFC 6238): a secret for an authenticator, and which time step a code fits.
import { Secret, TOTP } from 'otpauth';
import type { World } from '../runtime/world.ts';
import { openSealing } from './sealing.ts';

export interface OneTimeCodes {
  /**
   * Makes a new secret for an app or a person. `setupUrl` is the URL that authenticators read and `secret` the same as text;
   * both are shown once. `sealed` is for the database. `label` is the name in the authenticator.
   */
  create(
    ownerId: string,
    label?: string,
  ): { readonly setupUrl: string; readonly secret: string; readonly sealed: Buffer };
  /** The time step that a code fits now, or one step before or after it; null where it fits none. */
  stepOf(ownerId: string, sealed: Buffer, code: string): number | null;
}

const PURPOSE = 'ducat one-time-code sealing v1';
/** The length of a SHA-1 digest, the algorithm that all authenticators support. */
const SECRET_BYTES = 20;
const PERIOD_S = 30;
const STEPS_AROUND = 1;

export function createOneTimeCodes({
  masterSecret,
  world,
}: {
  readonly masterSecret: Uint8Array;
  readonly world: World;
}): OneTimeCodes {
  const sealing = openSealing(masterSecret, PURPOSE);
  return {
    create(ownerId, label = ownerId) {
      const secret = new Secret({ buffer: Uint8Array.from(world.random(SECRET_BYTES)).buffer });
      const setupUrl = totpOf(label, secret).toString();
      return { setupUrl, secret: secret.base32, sealed: sealing.seal(ownerId, secret.base32, world) };
    },
    stepOf(ownerId, sealed, code) {
      const nowMs = world.nowMs();
      const totp = totpOf(ownerId, Secret.fromBase32(sealing.unseal(ownerId, sealed)));
      const delta = totp.validate({ token: code, timestamp: nowMs, window: STEPS_AROUND });
      return delta === null ? null : Math.floor(nowMs / 1000 / PERIOD_S) + delta;
    },
  };
}

function totpOf(label: string, secret: Secret): TOTP {
  return new TOTP({ issuer: 'Ducat', label, algorithm: 'SHA1', digits: 6, period: PERIOD_S, secret });
}
