// What watching one chain is made of, and what a step along it comes to.
import type { KnownBlock } from '@ducat/core/chain/local-chain';
import type { EncodePaymentEvent, EncodeTransferEvent } from '@ducat/core/webhook/event';
import type { EncodeQrPaymentEvent } from '@ducat/core/webhook/qr-payment-event';
import type { ChainReader } from '../../chains/port/reader.ts';
import type { Reader, Transact } from '../../db/postgres/tx.ts';
import { type ChainCursor, readCursor } from '../../db/tables/cursors.ts';
import type { HeldLease } from '../../db/tables/leases.ts';
import { haltChain } from '../../flows/blocks/halt-chain.ts';
import type { IdleChains } from '../../runtime/idle-chains.ts';
import type { Log } from '../../runtime/log.ts';
import { Outage } from '../../runtime/outage.ts';
import type { World } from '../../runtime/world.ts';
import type { WatcherObserver } from './observer.ts';

export interface WatchChain {
  readonly chain: ChainReader;
  /** The first block on a fresh database; null means as far below the head as money takes to become final. */
  readonly startBlock: number | null;
  readonly transact: Transact;
  readonly reader: Reader;
  readonly world: World;
  readonly idle: Pick<IdleChains, 'rest'>;
  readonly encode: EncodePaymentEvent;
  readonly encodeTransfer: EncodeTransferEvent;
  readonly encodeQrPayment: EncodeQrPaymentEvent;
  readonly newEventId: () => string;
  /** How this process is called where it holds the chain's lease. */
  readonly holder: string;
  readonly log: Log;
  readonly observer: WatcherObserver;
}

/** A chain while this process is the one that watches it. */
export interface LeasedChain extends WatchChain {
  /** The lease that flows commit under. A process that took over has raised its token. */
  readonly lease: HeldLease;
}

/**
 * What a step came to: `busy` when there may be more at once, `idle` at the head, `halted` when a human is needed,
 * `lease-lost` when another process watches the chain now.
 */
export type Outcome = 'busy' | 'idle' | 'halted' | 'lease-lost';

/** The cursor of a chain that has blocks in the books. */
export type StandingCursor = ChainCursor & { readonly head: KnownBlock };

export function hasHead(cursor: ChainCursor | null): cursor is StandingCursor {
  return cursor !== null && cursor.head !== null;
}

/** How far the chain is read and final; null before its first block. */
export function cursorOf({
  chain,
  reader,
}: Pick<LeasedChain, 'chain' | 'reader'>): Promise<ChainCursor | null> {
  return readCursor(reader, chain.definition.name);
}

/** For `catch`: returns an outage as a value, and throws anything else on. */
export function outageOf(error: unknown): Outage {
  if (error instanceof Outage) return error;
  throw error;
}

/**
 * Halts the chain because an invariant is broken: nothing more of it is trusted until a person has looked. Outages are
 * thrown on.
 */
export async function haltedByBug(watch: LeasedChain, error: unknown): Promise<'halted' | 'lease-lost'> {
  if (error instanceof Outage) throw error;
  const { transact, world, log, lease } = watch;
  const chain = watch.chain.definition.name;
  const reason = error instanceof Error ? error.message : String(error);
  log.error({ chain, error }, 'a broken invariant halts the chain');
  return transact((tx) => haltChain(tx, { chain, reason, nowMs: world.nowMs(), lease }));
}
