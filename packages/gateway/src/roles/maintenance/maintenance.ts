// The rounds of maintenance: orders time out, pools are filled, old rows go, prices are noted, coming partitions made.
import type { EncodePaymentEvent } from '@ducat/core/webhook/event';
import type { AddressScheme } from '../../chains/port/address-scheme.ts';
import type { ChainReader } from '../../chains/port/reader.ts';
import { removeEndedPasswordLinks } from '../../flows/access/password-link/remove-ended-password-links.ts';
import { removeEndedSignUps } from '../../flows/access/sign-up/remove-ended-sign-ups.ts';
import { deleteOldCalls } from '../../flows/calls/delete-old-calls.ts';
import { archiveDeliveries } from '../../flows/deliveries/archive-deliveries.ts';
import { archiveEvidence } from '../../flows/orders/archive-evidence.ts';
import { addComingPartitions } from '../../flows/partitions/add-coming-partitions.ts';
import { expireOrders } from '../../flows/orders/expire-orders.ts';
import { fillAddressPool } from '../../flows/addresses/fill-address-pool.ts';
import { reuseAddresses } from '../../flows/addresses/reuse-addresses.ts';
import type { RateSource } from '../../rates/port.ts';
import { firstIdAt } from '../../runtime/ids.ts';
import type { IdleChains } from '../../runtime/idle-chains.ts';
import type { Log } from '../../runtime/log.ts';
import { Outage } from '../../runtime/outage.ts';
import { partitionedTables } from '../../db/partitions/layout.ts';
import { readChainsToExpire } from '../../db/tables/orders/orders.ts';
import { type PoolKey, readLowPools } from '../../db/tables/addresses.ts';
import type { Reader, Transact } from '../../db/postgres/tx.ts';
import { pacer, unixTime, type World } from '../../runtime/world.ts';
import { priceRound } from './note-prices.ts';

const ROUND_MS = 1_000;
const MAX_BACK_OFF_MS = 30_000;
/** Orders timed out in one transaction, addresses released and pools filled in one round. */
const EXPIRE_LIMIT = 500;
const FILL_LIMIT = 20;
/** How long no pool is looked at once none is low. An order that finds its pool empty fills it by itself. */
const FILL_EVERY_MS = 5_000;
/** Pools checked in one round; each one costs an index lookup. The next round goes on after them. */
const POOLS_A_ROUND = 1_000;
const REUSE_LIMIT = 500;
/** Rows moved to the archive in one round. More than any gateway writes in a second. */
const ARCHIVE_LIMIT = 500;
/** How long nothing is looked for that could be archived, after a round that found nothing. */
const ARCHIVE_EVERY_MS = 10_000;
/** Calls deleted in one round: more than the processes of any gateway write in a second. */
const CALL_LIMIT = 5_000;
const DAY_MS = 86_400_000;
/** Partitions are made a year ahead, so a round that fails for a while makes none of them late. */
const PARTITIONS_EVERY_MS = 3_600_000;
/** One price is kept for each quarter of an hour. Rates are asked more often, because sources may not have answered yet. */
const PRICES_EVERY_MS = 60_000;
const LINKS_EVERY_MS = 600_000;

/** In days; null for never. */
export interface Retention {
  readonly deliveriesAfterDays: number | null;
  readonly quoteEvidenceAfterDays: number | null;
  readonly apiCallsAfterDays: number | null;
}

export interface Maintenance {
  readonly chains: readonly ChainReader[];
  readonly schemes: Readonly<Record<string, AddressScheme>>;
  readonly poolSize: number;
  /** By chain name: after how many days its addresses are handed out again. Other chains' addresses never are. */
  readonly reuseAfterDays: ReadonlyMap<string, number>;
  /** After how many days finished rows are archived, and calls are deleted from the log of calls. */
  readonly retention: Retention;
  readonly transact: Transact;
  readonly reader: Reader;
  readonly rates: RateSource;
  readonly world: World;
  readonly idle: Pick<IdleChains, 'idleMs'>;
  readonly encode: EncodePaymentEvent;
  readonly newEventId: () => string;
  readonly log: Log;
  /** A flow of a round failed with a bug. */
  readonly onBug: () => void;
}

type Round = (maintenance: Maintenance) => Promise<number>;

/**
 * Runs until the signal. Outages are waited out. A flow that fails is reported and tried again, because one row that cannot
 * be settled must not stop the work on all others (decision 0009).
 */
export async function runMaintenance(maintenance: Maintenance, signal: AbortSignal): Promise<void> {
  const rounds = [
    pacedRound(maintenance, expireRound, 0),
    pacedRound(maintenance, reuseRound, 0),
    pacedRound(maintenance, createFillRound(), FILL_EVERY_MS),
    pacedRound(maintenance, archiveRound, ARCHIVE_EVERY_MS),
    pacedRound(maintenance, priceRound, PRICES_EVERY_MS),
    pacedRound(maintenance, partitionRound, PARTITIONS_EVERY_MS),
    pacedRound(maintenance, signUpRound, LINKS_EVERY_MS),
    pacedRound(maintenance, passwordLinkRound, LINKS_EVERY_MS),
  ];
  let waitMs = ROUND_MS;
  while (!signal.aborted) {
    let calm = true;
    for (const runIfDue of rounds) calm = (await runIfDue()) && calm;
    waitMs = calm ? ROUND_MS : Math.min(MAX_BACK_OFF_MS, waitMs * 2);
    await maintenance.world.sleep(waitMs, signal);
  }
}

/** Runs a round each `everyMs`, and again at once after one that found something. False where it met an outage. */
function pacedRound(maintenance: Maintenance, round: Round, everyMs: number): () => Promise<boolean> {
  const { world, log } = maintenance;
  const isDue = pacer(world, everyMs);
  let found = 0;
  return async () => {
    if (!isDue() && found === 0) return true;
    found = 0;
    try {
      found = await round(maintenance);
      return true;
    } catch (error) {
      if (!(error instanceof Outage)) throw error;
      log.warn({ round: round.name, error }, 'a round of maintenance waits for an outage to end');
      return false;
    }
  };
}

/** Runs one flow of a round. A flow that fails is reported and skipped, so that the others of the round go on. */
async function contained<Fields extends object>(
  { log, onBug }: Pick<Maintenance, 'log' | 'onBug'>,
  fields: Fields,
  work: (fields: Fields) => Promise<number>,
): Promise<number> {
  try {
    return await work(fields);
  } catch (error) {
    if (error instanceof Outage) throw error;
    log.error({ ...fields, error }, 'a flow of maintenance failed');
    onBug();
    return 0;
  }
}

/** Times out the orders that are due on each chain; returns how many. */
async function expireRound(
  maintenance: Pick<
    Maintenance,
    'chains' | 'reader' | 'transact' | 'world' | 'idle' | 'encode' | 'newEventId' | 'log' | 'onBug'
  >,
): Promise<number> {
  const { reader, transact, world, idle, encode, newEventId, log } = maintenance;
  // Where all chains are idle, no order is open.
  if ((await idle.idleMs(null)) !== null) return 0;
  // Most rounds find no such chain, and then open no transaction.
  const chains = await readChainsToExpire(reader);
  let total = 0;
  for (const { definition } of maintenance.chains) {
    if (!chains.has(definition.name)) continue;
    const nowMs = world.nowMs();
    const input = { chain: definition, limit: EXPIRE_LIMIT, encode, newEventId, nowMs };
    total += await contained(
      maintenance,
      { flow: 'expire-orders', chain: definition.name },
      async (fields) => {
        const expired = await transact((tx) => expireOrders(tx, input));
        if (expired > 0) log.info({ ...fields, expired }, 'orders timed out');
        return expired;
      },
    );
  }
  return total;
}

/** Puts addresses back into the pools of the chains that allow it; returns how many. */
async function reuseRound(
  maintenance: Pick<Maintenance, 'reuseAfterDays' | 'transact' | 'world' | 'log' | 'onBug'>,
): Promise<number> {
  let total = 0;
  for (const [chain, afterDays] of maintenance.reuseAfterDays) {
    const input = { chain, afterDays, limit: REUSE_LIMIT, now: unixTime(maintenance.world) };
    total += await contained(maintenance, { flow: 'reuse-addresses', chain }, async (fields) => {
      const released = await maintenance.transact((tx) => reuseAddresses(tx, input));
      if (released > 0) maintenance.log.info({ ...fields, released }, 'addresses released');
      return released;
    });
  }
  return total;
}

/**
 * Makes the round that fills pools with less than half of their addresses left. The round remembers at which pool the next
 * one goes on. It returns how many addresses were derived, and at least 1 while pools are left to look at.
 */
function createFillRound(): (
  maintenance: Pick<Maintenance, 'reader' | 'schemes' | 'poolSize' | 'transact' | 'log' | 'onBug'>,
) => Promise<number> {
  let after: PoolKey | null = null;
  return async function fillRound(maintenance) {
    const { reader, schemes, poolSize, transact, log } = maintenance;
    const lowMark = Math.ceil(poolSize / 2);
    const { low, last } = await readLowPools(reader, { lowMark, after, pools: POOLS_A_ROUND });
    const now = low.slice(0, FILL_LIMIT);
    // Low pools that were not filled are the first of the next round.
    after = low.length > now.length ? (now.at(-1) ?? null) : last;
    let total = 0;
    for (const { appId, family } of now) {
      const scheme = schemes[family];
      if (scheme === undefined) continue;
      const derive = (accountPublicKey: string, index: number) => scheme.derive(accountPublicKey, index);
      const input = { appId, family, derive, target: poolSize };
      total += await contained(maintenance, { flow: 'fill-address-pool', appId, family }, async (fields) => {
        const added = await transact((tx) => fillAddressPool(tx, input));
        log.info({ ...fields, added }, 'addresses derived');
        return added;
      });
    }
    return after === null ? total : Math.max(1, total);
  };
}

/** Archives old finished rows and deletes old calls, by one bounded statement a kind; returns how many rows. */
export async function archiveRound(
  maintenance: Pick<Maintenance, 'retention' | 'transact' | 'world' | 'log' | 'onBug'>,
): Promise<number> {
  const { deliveriesAfterDays, quoteEvidenceAfterDays, apiCallsAfterDays } = maintenance.retention;
  const kinds = [
    {
      flow: 'archive-deliveries',
      prefix: 'evt',
      afterDays: deliveriesAfterDays,
      clear: archiveDeliveries,
      limit: ARCHIVE_LIMIT,
    },
    {
      flow: 'archive-evidence',
      prefix: 'ord',
      afterDays: quoteEvidenceAfterDays,
      clear: archiveEvidence,
      limit: ARCHIVE_LIMIT,
    },
    {
      flow: 'delete-old-calls',
      prefix: 'cal',
      afterDays: apiCallsAfterDays,
      clear: deleteOldCalls,
      limit: CALL_LIMIT,
    },
  ] as const;
  let total = 0;
  for (const { flow, prefix, afterDays, clear, limit } of kinds) {
    if (afterDays === null) continue;
    const below = firstIdAt(prefix, Math.max(0, maintenance.world.nowMs() - afterDays * DAY_MS));
    total += await contained(maintenance, { flow }, async (fields) => {
      const cleared = await maintenance.transact((tx) => clear(tx, { below, limit }), 'one-statement');
      if (cleared > 0) maintenance.log.info({ ...fields, cleared }, 'old rows cleared');
      return cleared;
    });
  }
  return total;
}

/** Removes sign-ups whose link nobody has opened in time; returns how many. */
export async function signUpRound(
  maintenance: Pick<Maintenance, 'transact' | 'world' | 'log' | 'onBug'>,
): Promise<number> {
  const { transact, world, log } = maintenance;
  return contained(maintenance, { flow: 'remove-ended-sign-ups' }, async (fields) => {
    const removed = await transact((tx) => removeEndedSignUps(tx, world.nowMs()));
    if (removed > 0) log.info({ ...fields, removed }, 'sign-ups removed that nobody has confirmed');
    return removed;
  });
}

/** Removes links to a new password that nobody has opened in time; returns how many. */
export async function passwordLinkRound(
  maintenance: Pick<Maintenance, 'transact' | 'world' | 'log' | 'onBug'>,
): Promise<number> {
  const { transact, world } = maintenance;
  return contained(maintenance, { flow: 'remove-ended-password-links' }, () =>
    transact((tx) => removeEndedPasswordLinks(tx, world.nowMs())),
  );
}

/** Makes the partitions that will be needed of partitioned tables; returns how many. */
async function partitionRound(
  maintenance: Pick<Maintenance, 'transact' | 'world' | 'log' | 'onBug'>,
): Promise<number> {
  let total = 0;
  for (const table of partitionedTables) {
    const fields = { flow: 'add-coming-partitions', table: table.table };
    total += await contained(maintenance, fields, async () => {
      const nowMs = maintenance.world.nowMs();
      const added = await maintenance.transact((tx) => addComingPartitions(tx, table, nowMs));
      if (added > 0) maintenance.log.info({ ...fields, added }, 'partitions made');
      return added;
    });
  }
  return total;
}
