// One-time codes (TOTP, RFC 6238): a secret for an authenticator, and which time step a code fits.
import { Secret, TOTP } from 'otpauth';
import type { World } from '../runtime/world.ts';
import { openSealing } from './sealing.ts';

export interface OneTimeCodes {
  /** A fresh secret for an app: the address that authenticators read, shown once, and the same sealed for the database. */
  create(appId: string): { readonly setupUrl: string; readonly sealed: Buffer };
  /** The time step that a code fits now, or one step before or after it; null where it fits none. */
  stepOf(appId: string, sealed: Buffer, code: string): number | null;
}

const PURPOSE = 'ducat one-time-code sealing v1';
/** As many as SHA-1 gives, which authenticators agree on. */
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
    create(appId) {
      const secret = new Secret({ buffer: Uint8Array.from(world.random(SECRET_BYTES)).buffer });
      const setupUrl = totpOf(appId, secret).toString();
      return { setupUrl, sealed: sealing.seal(appId, secret.base32, world) };
    },
    stepOf(appId, sealed, code) {
      const nowMs = world.nowMs();
      const totp = totpOf(appId, Secret.fromBase32(sealing.unseal(appId, sealed)));
      const delta = totp.validate({ token: code, timestamp: nowMs, window: STEPS_AROUND });
      return delta === null ? null : Math.floor(nowMs / 1000 / PERIOD_S) + delta;
    },
  };
}

function totpOf(appId: string, secret: Secret): TOTP {
  return new TOTP({ issuer: 'Ducat', label: appId, algorithm: 'SHA1', digits: 6, period: PERIOD_S, secret });
}
