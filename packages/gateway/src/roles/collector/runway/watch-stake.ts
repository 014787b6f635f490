// Says what an operator's stake is worth: what it brings in a day, against what collections take.
import { nativeCurrency } from '@ducat/core/chain/chain';
import { RUNWAY_DAYS } from '@ducat/core/collection/runway';
import { type StakeLook, stakeRunway, strayStake } from '@ducat/core/collection/stake-runway';
import { amountOf } from '@ducat/core/money/amount';
import type { Staker } from '@ducat/core/signing/transfer-intent';
import type { ChainWriter } from '../../../chains/port/writer.ts';
import type { Reader } from '../../../db/postgres/tx.ts';
import { readStakeUse, type StakeUseReport } from '../../../db/reports/stake-use.ts';
import { readStakeInUse } from '../../../db/tables/collections/delegated-energy.ts';
import { findWallet } from '../../../db/tables/collections/wallets.ts';
import { Outage } from '../../../runtime/outage.ts';
import type { CollectChain } from '../parts.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

export interface StakeParts {
  readonly writer: Pick<ChainWriter, 'definition' | 'estimate' | 'stakeOf'>;
  readonly reader: Reader;
  readonly staker: Staker;
  readonly nowMs: number;
}

/** Null where there is no gas wallet yet whose key could delegate, or no stake on such a chain. Throws Outage. */
export async function readStakeLook({
  writer,
  reader,
  staker,
  nowMs,
}: StakeParts): Promise<StakeLook | null> {
  const { name: chain, family } = writer.definition;
  const nativeId = nativeCurrency(writer.definition).currencyId;
  const signer = await findWallet(reader, { appId: null, family });
  if (signer === null) return null;
  const report = await writer.stakeOf({ staker, signer });
  if (report === null) return null;
  const books = await readStakeInUse(reader, { chain, nativeId, staker: staker.address });
  const sinceMs = nowMs - Number(RUNWAY_DAYS) * DAY_MS;
  const { last, ...use } = await readStakeUse(reader, { chain, nativeId, sinceMs });
  return {
    staker,
    report,
    booked: books.delegated,
    stray: strayStake(report.delegated, books),
    collections: use.collections,
    collectionsByStake: use.delegated,
    payouts: use.payouts,
    runway: stakeRunway({
      ...report,
      collections: use.collections,
      transferEnergy: await energyOfTransfer(writer, last),
    }),
  };
}

/** From a wallet that tokens were collected into, to itself: both sides hold them, as with a collection. */
async function energyOfTransfer(
  { definition, estimate }: StakeParts['writer'],
  last: StakeUseReport['last'],
): Promise<bigint | null> {
  const currency = definition.currencies.find(({ currencyId }) => currencyId === last?.currencyId);
  if (last === null || currency === undefined) return null;
  const { wallet } = last;
  const tried = await estimate({
    from: wallet,
    to: wallet,
    currency,
    amount: amountOf(currency.currencyId, 1n),
  });
  if (tried.outcome !== 'possible') return null;
  // What could not be tried is estimated as a transfer to an address that holds none, which takes twice as much.
  const isTried = tried.shortOf.every(({ held }) => held.currencyId !== currency.currencyId);
  return isTried ? (tried.energy ?? null) : null;
}

/** A chain that is away says nothing of its stake. */
export async function watchStake({ writer, reader, world, policy, observer }: CollectChain): Promise<void> {
  const { staker } = policy;
  if (staker === null) return;
  const look = await readStakeLook({ writer, reader, staker, nowMs: world.nowMs() }).catch(
    (error: unknown) => {
      if (error instanceof Outage) return null;
      throw error;
    },
  );
  if (look !== null) observer.onStake(writer.definition, look);
}
