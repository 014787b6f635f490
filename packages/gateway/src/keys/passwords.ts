// Passwords of people: hashed by scrypt, off the main thread, a few at a time.
import { scrypt, type ScryptOptions, timingSafeEqual } from 'node:crypto';
import { Outage } from '../runtime/outage.ts';
import type { World } from '../runtime/world.ts';

export interface Passwords {
  /** Returns a text with the cost, a random salt and the hash. */
  hash(password: string): Promise<string>;
  /** Whether the password fits. `hashed` is null for an account that does not exist: takes as long, and returns false. */
  fits(hashed: string | null, password: string): Promise<boolean>;
}

/** 16 MiB with five passes, which OWASP recommends as equal to Argon2id with 19 MiB. */
const COST = { N: 2 ** 14, r: 8, p: 5 };
const KEY_BYTES = 32;
const MAX_MEMORY_BYTES = 64 * 1024 * 1024;
const SALT_BYTES = 16;
/** Each hash takes one of four threads that the process also uses for files and host names. */
const MAX_RUNNING = 2;
const MAX_WAITING = 50;

/** Only tests set a smaller `cost`. */
export function createPasswords(
  world: Pick<World, 'random'>,
  cost: { readonly N: number; readonly r: number; readonly p: number } = COST,
): Passwords {
  const inTurn = createTurns();
  const hash = (password: string, salt: Buffer, { N, r, p }: typeof cost) =>
    inTurn(() => derive(password, salt, { N, r, p, maxmem: MAX_MEMORY_BYTES }));
  return {
    async hash(password) {
      const salt = Buffer.from(world.random(SALT_BYTES));
      const key = await hash(password, salt, cost);
      return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join(
        '$',
      );
    },
    async fits(hashed, password) {
      const [, N, r, p, salt = '', key = ''] = hashed?.split('$') ?? [];
      if (hashed === null || N === undefined || r === undefined || p === undefined) {
        await hash(password, Buffer.alloc(SALT_BYTES), cost);
        return false;
      }
      const found = await hash(password, Buffer.from(salt, 'base64url'), {
        N: Number(N),
        r: Number(r),
        p: Number(p),
      });
      const wanted = Buffer.from(key, 'base64url');
      return wanted.length === found.length && timingSafeEqual(wanted, found);
    },
  };
}

function derive(password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, KEY_BYTES, options, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}

/** Runs `MAX_RUNNING` at once, queues `MAX_WAITING`, and refuses the rest, because memory and threads are limited. */
function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= MAX_RUNNING) {
      if (waiting.length >= MAX_WAITING) throw new Outage('too many sign-ins at once', { retryable: true });
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      // The next waiting call takes over the place; without one the place becomes free.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
