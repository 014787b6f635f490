// Random tokens of sessions and links, recovery codes, and the hashes under which they are stored.
import { createHash } from 'node:crypto';
import type { World } from '../runtime/world.ts';

/** 256 bits. */
const TOKEN_BYTES = 32;
/** 80 bits for each recovery code, written in four groups. */
const RECOVERY_BYTES = 10;
const RECOVERY_CODES = 10;
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** Makes a new token. The database stores only its hash. */
export function newToken(world: Pick<World, 'random'>): string {
  return Buffer.from(world.random(TOKEN_BYTES)).toString('base64url');
}

export function hashOfToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Recovery codes of the form `abcd-efgh-jkmn-pqrs`. */
export function newRecoveryCodes(world: Pick<World, 'random'>): readonly string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    let bits = 0n;
    for (const byte of world.random(RECOVERY_BYTES)) bits = (bits << 8n) | BigInt(byte);
    const letters = Array.from({ length: 16 }, (_, place) =>
      ALPHABET.charAt(Number((bits >> BigInt(5 * place)) & 31n)),
    );
    return letters.join('').replace(/(.{4})(?=.)/g, '$1-');
  });
}

/** The hash of a recovery code as a person types it: upper or lower case, with or without hyphens. */
export function hashOfRecoveryCode(personId: string, code: string): Buffer {
  const letters = code.toLowerCase().replace(/[^0-9a-z]/g, '');
  return createHash('sha256').update(`${personId} ${letters}`).digest();
}
