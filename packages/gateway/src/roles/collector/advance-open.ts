// Advances collections whose step has ended, and gives up steps that have been in trouble for too long.
import { nativeCurrency } from '@ducat/core/chain/chain';
import type { AfterStep } from '@ducat/core/collection/after-step';
import { SWEEP_TROUBLE_MS } from '@ducat/core/collection/sweeper-request';
import { type OpenCollection, readStepped } from '../../db/tables/collections/collections.ts';
import { advanceCollection } from '../../flows/collections/advance-collection.ts';
import { newOutgoingId } from '../../runtime/ids.ts';
import type { CollectOutcome, LeasedCollector } from './parts.ts';
import { gasWallet } from './wallets.ts';

const MOST_AT_ONCE = 64;

/** A step that still cannot be signed after this time is given up: prices and the held amount may have changed. */
const TROUBLE_MS = 60 * 60 * 1_000;

export async function advanceOpen(collector: LeasedCollector): Promise<CollectOutcome> {
  const { writer, reader, transact, world, lease } = collector;
  const { definition: chain } = writer;
  const nativeId = nativeCurrency(chain).currencyId;
  const nowMs = world.nowMs();
  // mark: a-sweep-waits-ten-minutes
  const sweepTroubledBeforeMs = nowMs - SWEEP_TROUBLE_MS;
  const query = { nativeId, troubledBeforeMs: nowMs - TROUBLE_MS, sweepTroubledBeforeMs };
  const stepped = await readStepped(reader, { chain: chain.name, ...query, nowMs, limit: MOST_AT_ONCE });
  for (const { collectionId, stake } of stepped) {
    const from = stake === null ? null : await gasWallet(collector);
    const input = {
      collectionId,
      outgoingId: newOutgoingId(world),
      gasWallet: from,
      chain,
      ...query,
      nowMs,
      lease,
    };
    collector.onItem({ kind: 'collection', id: collectionId });
    const advanced = await transact((tx) => advanceCollection(tx, input));
    collector.onItem(null);
    if (advanced.outcome === 'lease-lost') return 'lease-lost';
    if (advanced.outcome === 'advanced') report(collector, advanced.collection, advanced.after);
  }
  return stepped.length === MOST_AT_ONCE ? 'busy' : 'idle';
}

function report({ log, observer, writer }: LeasedCollector, one: OpenCollection, after: AfterStep): void {
  const chain = writer.definition.name;
  const { collectionId, address } = one;
  const fields = { flow: 'advance-collection', chain, collectionId, address };
  switch (after.kind) {
    case 'delegate':
      observer.onCollection(chain, 'delegating');
      return log.info(fields, 'a deposit address gets energy of the stake');
    case 'move':
      observer.onCollection(chain, 'moving');
      return log.info(fields, 'what a collection needs is there');
    case 'collected':
      observer.onCollection(chain, 'collected');
      return log.info(fields, 'a deposit address is emptied');
    case 'again':
      observer.onCollection(chain, 'again');
      return log.warn({ ...fields, reason: after.reason }, 'a collection moved nothing and is planned anew');
    case 'freeze':
      observer.onCollection(chain, 'frozen');
      return log.error(
        { ...fields, reason: after.reason },
        'a holding is frozen until an operator has looked',
      );
    case 'nothing':
  }
}
