// An operator's stake now: its energy a day, what collections use of it, and which addresses of ours have energy of it.
import { nativeCurrency } from '@ducat/core/chain/chain';
import { RUNWAY_DAYS } from '@ducat/core/collection/runway';
import { type StakePlace, stakeAtWallets, strayStake } from '@ducat/core/collection/stake-places';
import { energyForCollections, type StakeLook, stakeRunway } from '@ducat/core/collection/stake-runway';
import { add, amountOf, zero } from '@ducat/core/money/amount';
import type { Staker } from '@ducat/core/signing/transfer-intent';
import type { ChainWriter } from '../../../chains/port/writer.ts';
import type { Reader } from '../../../db/postgres/tx.ts';
import { readStakeUse, type StakeUseReport } from '../../../db/reports/stake-use.ts';
import { readStakeInUse } from '../../../db/tables/collections/delegated-energy.ts';
import { readOwnReceivers } from '../../../db/tables/collections/stake-places.ts';
import { findWallet } from '../../../db/tables/collections/wallets.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Each place costs a request to a node. */
const MOST_PLACES = 100;

export interface StakeParts {
  readonly writer: Pick<ChainWriter, 'definition' | 'estimate' | 'stakeOf' | 'delegatedTo'>;
  readonly reader: Reader;
  readonly staker: Staker;
  readonly nowMs: number;
}

/** Null where there is no gas wallet yet, whose key delegates, and where the chain has no stakes. Throws Outage. */
export async function readStakeLook(parts: StakeParts): Promise<StakeLook | null> {
  const { writer, reader, staker, nowMs } = parts;
  const { name: chain, family } = writer.definition;
  const nativeId = nativeCurrency(writer.definition).currencyId;
  const signer = await findWallet(reader, { appId: null, family });
  if (signer === null) return null;
  const report = await writer.stakeOf({ staker, signer });
  if (report === null) return null;
  const places = await readPlaces(parts, report.receivers);
  const [atWallets, stray] = [stakeAtWallets(places, nativeId), strayStake(places, nativeId)];
  const books = await readStakeInUse(reader, { chain, nativeId, staker: staker.address });
  const sinceMs = nowMs - Number(RUNWAY_DAYS) * DAY_MS;
  const { last, ...use } = await readStakeUse(reader, { chain, nativeId, sinceMs });
  return {
    staker,
    report,
    booked: books.delegated,
    places,
    atWallets,
    stray,
    collections: use.collections,
    collectionsByStake: use.delegated,
    payouts: use.payouts,
    runway: stakeRunway({
      energyADay: energyForCollections(report, add(books.delegated, stray)),
      energyPrice: report.energyPrice,
      collections: use.collections,
      transferEnergy: await energyOfTransfer(writer, last),
    }),
  };
}

/** Reads the books before the chain: energy that a collection returns in between is then gone from the chain as well. */
async function readPlaces(
  { writer, reader, staker }: StakeParts,
  receivers: readonly string[],
): Promise<readonly StakePlace[]> {
  const { name: chain, family } = writer.definition;
  const nativeId = nativeCurrency(writer.definition).currencyId;
  const own = await readOwnReceivers(reader, { chain, family, receivers, limit: MOST_PLACES });
  const addresses = own.map(({ address }) => address);
  const stakes = own.length === 0 ? [] : await writer.delegatedTo(staker.address, addresses);
  return own.map((one, place) => ({
    ...one,
    ...(stakes[place] ?? { stake: zero(nativeId), withoutLock: zero(nativeId) }),
  }));
}

/**
 * The energy of a transfer from a wallet that tokens were collected into, to itself: sender and recipient both hold the
 * token, as in a collection. Null where the energy cannot be estimated.
 */
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
  // A transfer that could not be tried is estimated for a recipient without the token, which takes twice as much.
  const isTried = tried.shortOf.every(({ held }) => held.currencyId !== currency.currencyId);
  return isTried ? (tried.energy ?? null) : null;
}
