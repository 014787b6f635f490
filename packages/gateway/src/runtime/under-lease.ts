// Does work that only one process may do at a time: stands by until the lease is free, holds it, gives it back.
import { endFrozenHolder } from '../flows/leases/end-frozen-holder.ts';
import { releaseLease } from '../flows/leases/release-lease.ts';
import { takeLease } from '../flows/leases/take-lease.ts';
import { RENEW_EVERY_MS, type LeaseStore } from './lease-store.ts';
import type { Log } from './log.ts';
import { Outage } from './outage.ts';
import { type HeldLease, isSameLease, type Lease, readLease } from '../db/tables/leases.ts';
import { sqlState } from '../db/postgres/tx.ts';
import type { World } from './world.ts';

/**
 * How many reads in a row must find a lease unchanged before its holder counts as dead. Reads are counted and times are not
 * compared. So neither clocks that differ nor a standby that was frozen itself can make a living holder look dead.
 */
export const LOOKS_UNTIL_DEAD = 3;

/** Called when this process becomes the holder of a lease and when it no longer is. Must not throw. */
export type OnLease = (name: string, held: boolean) => void;

export interface LeaseParts {
  readonly name: string;
  /** The name of this process, for people to read. */
  readonly holder: string;
  readonly leases: LeaseStore;
  readonly world: World;
  readonly log: Log;
  readonly onLease: OnLease;
  /** Why this process must leave the lease to others now; null where it may take it. Without it, it always may. */
  readonly whyUnfit?: () => Promise<string | null>;
}

/**
 * Runs `work` whenever this process holds the lease, until the signal. The work gets the lease to commit under, and a signal
 * that is aborted when the lease is lost. Where a flow reports the loss first, the work ends by itself. An error of the work
 * ends everything, after the lease was given back.
 */
export async function underLease(
  lease: LeaseParts,
  signal: AbortSignal,
  work: (held: HeldLease, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    const token = await standBy(lease, signal);
    if (token !== null) await hold(lease, { token, holder: lease.holder }, signal, work);
  }
}

/** Waits until the lease can be taken; returns its token, or null at the signal. */
async function standBy(lease: LeaseParts, signal: AbortSignal): Promise<number | null> {
  const { name, world, log } = lease;
  const { reader } = lease.leases;
  let seen: Lease | null = null;
  let unchanged = 0;
  let logged: string | null = null;
  while (!signal.aborted) {
    try {
      const found = await readLease(reader, name);
      unchanged = found !== null && seen !== null && isSameLease(found, seen) ? unchanged + 1 : 0;
      seen = found;
      const isDead = found !== null && unchanged >= LOOKS_UNTIL_DEAD;
      if (found === null || found.holder === null || isDead) {
        const unfit = (await lease.whyUnfit?.()) ?? null;
        const token = unfit === null ? await take(lease, isDead ? found : null) : null;
        if (token !== null) return token;
        if (unfit !== null && unfit !== logged) {
          log.error({ lease: name, reason: unfit }, 'leaves a lease to others');
          logged = unfit;
        }
      } else if (found.holder !== logged) {
        log.info({ lease: name, holder: found.holder, fence: found.token }, 'stands by');
        logged = found.holder;
      }
    } catch (error) {
      if (!(error instanceof Outage)) throw error;
      // A database that was away could not take renewals either. A database where a lock was awaited was not away.
      if (!isWaitInVain(error)) unchanged = 0;
      log.warn({ lease: name, error }, 'a lease cannot be looked at');
    }
    await world.sleep(RENEW_EVERY_MS, signal);
  }
  return null;
}

async function take(lease: LeaseParts, dead: Lease | null): Promise<number | null> {
  const { name, holder, world, log } = lease;
  const { transact } = lease.leases;
  let token: number | null;
  try {
    token = await transact((tx) => takeLease(tx, { name, holder, dead, nowMs: world.nowMs() }));
  } catch (error) {
    if (dead !== null && isWaitInVain(error)) await endFrozen(lease, dead);
    throw error;
  }
  if (token !== null) {
    const from = dead === null ? {} : { from: dead.holder };
    log.info({ flow: 'take-lease', lease: name, holder, fence: token, ...from }, 'holds a lease');
  }
  return token;
}

function isWaitInVain(error: unknown): boolean {
  return error instanceof Outage && sqlState(error.cause) === '55P03';
}

/**
 * A holder that froze in an open transaction keeps its lease locked. Ends that transaction; the next read takes the lease
 * over.
 */
async function endFrozen({ name, leases, log }: LeaseParts, dead: Lease): Promise<void> {
  try {
    const ended = await leases.transact((tx) => endFrozenHolder(tx, name, dead));
    log.warn({ flow: 'end-frozen-holder', lease: name, holder: dead.holder, ended }, 'a holder is frozen');
  } catch (error) {
    const advice = 'a frozen holder keeps its lease; our role may not end its sessions, so end its process';
    log.error({ lease: name, holder: dead.holder, error }, advice);
  }
}

async function hold(
  lease: LeaseParts,
  own: HeldLease,
  signal: AbortSignal,
  work: (held: HeldLease, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const held = new AbortController();
  const end = () => held.abort();
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  lease.onLease(lease.name, true);
  try {
    const ends = await Promise.allSettled([
      renew(lease, own, held.signal).finally(end),
      work(own, held.signal).finally(end),
    ]);
    for (const ended of ends) if (ended.status === 'rejected') throw ended.reason;
  } finally {
    signal.removeEventListener('abort', end);
    await giveBack(lease, own);
    lease.onLease(lease.name, false);
  }
}

/**
 * Renews until the signal, or until another process has the lease. While the database is away, no process can take the
 * lease.
 */
async function renew(
  { name, leases, world, log }: LeaseParts,
  own: HeldLease,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    // All leases of a process are renewed at the same moments, so that they share a statement.
    await world.sleep(RENEW_EVERY_MS - (world.nowMs() % RENEW_EVERY_MS), signal);
    if (signal.aborted) return;
    try {
      if (!(await leases.renew({ name, ...own }))) return;
    } catch (error) {
      if (!(error instanceof Outage)) throw error;
      log.warn({ lease: name, error }, 'a lease cannot be renewed');
    }
  }
}

/** A lease that cannot be given back is taken over once its holder counts as dead. */
async function giveBack({ name, leases, log }: LeaseParts, own: HeldLease): Promise<void> {
  try {
    const released = await leases.transact((tx) => releaseLease(tx, name, own), 'one-statement');
    if (released) log.info({ flow: 'release-lease', lease: name, fence: own.token }, 'gave a lease back');
    else log.warn({ lease: name, fence: own.token }, 'lost a lease to another process');
  } catch (error) {
    if (!(error instanceof Outage)) throw error;
    log.warn({ lease: name, error }, 'a lease cannot be given back');
  }
}
