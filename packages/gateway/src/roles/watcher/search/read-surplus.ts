// What a quorum of providers reports that our addresses hold beyond the books.
import { nativeCurrency } from '@ducat/core/chain/chain';
import { agreeOnSurplus, type Surplus, surplusOf } from '@ducat/core/chain/surplus';
import { type Amount, zero } from '@ducat/core/money/amount';
import { formatAmount } from '@ducat/core/money/decimal';
import type { BalanceReport, BlockReference } from '../../../chains/port/reader.ts';
import { readExpectedBalances } from '../../../db/tables/books/expected-balances.ts';
import type { SearchAddress } from '../../../db/tables/transfers/proposals.ts';
import { Outage } from '../../../runtime/outage.ts';
import { cursorOf, type LeasedChain } from '../parts.ts';

/** How often the books are polled until they reach a report, and how many times at most. */
const LOOK_EVERY_MS = 1_000;
const MAX_LOOKS = 120;

export interface FoundSurplus {
  readonly surplus: Surplus;
  /** The height of the balances; of several reports from providers without past balances, the lowest. */
  readonly at: number;
  /** What the books expect at that height, by address. */
  readonly expected: ReadonlyMap<string, Amount>;
}

/**
 * Asks a quorum of providers, and one more as long as no quorum reports the same balance of an address. Providers without
 * past balances report later blocks than `at`, and then the books are awaited. Throws Outage 'disagreement' where all were
 * asked.
 */
export async function readSurplus(
  watch: LeasedChain,
  page: readonly SearchAddress[],
  at: BlockReference,
  signal: AbortSignal,
): Promise<FoundSurplus> {
  const { chain } = watch;
  const addresses = page.map(({ address }) => address);
  for (let count = chain.quorum; ; count++) {
    const reports = await chain.balances(addresses, nativeCurrency(chain.definition), at, count);
    const heights = reports.map((report) => report.at);
    await untilFinal(watch, Math.max(...heights), signal);
    // The books are read once for each height. A second reading could show what was booked in between, while the surplus
    // still counts it as missing: it would be booked twice. The lowest height is read first, because its expected balances
    // are checked at the end.
    const books = new Map<number, ReadonlyMap<string, Amount>>();
    for (const height of [...new Set(heights)].sort((one, other) => one - other))
      books.set(height, await expectedAt(watch, page, height));
    const surpluses = reports.map((report) => surplusOver(page, report, books.get(report.at)));
    const { agreed, disputed } = agreeOnSurplus(surpluses, chain.quorum);
    const [first] = disputed;
    if (first === undefined) {
      const lowest = Math.min(...heights);
      return { surplus: agreed, at: lowest, expected: books.get(lowest) ?? new Map() };
    }
    if (count >= chain.providers().length)
      throw disagreement(watch, first, addresses.indexOf(first), reports);
  }
}

/** What these addresses hold beyond the books by one provider's report. */
export async function surplusIn(
  watch: LeasedChain,
  page: readonly SearchAddress[],
  report: BalanceReport,
): Promise<Surplus> {
  return surplusOver(page, report, await expectedAt(watch, page, report.at));
}

function surplusOver(
  page: readonly SearchAddress[],
  { amounts }: BalanceReport,
  books: ReadonlyMap<string, Amount> = new Map(),
): Surplus {
  const addresses = page.map(({ address }) => address);
  return surplusOf(addresses, {
    amounts,
    expected: addresses.flatMap((address) => books.get(address) ?? []),
  });
}

/** In the order of the page. */
async function expectedAt(
  { chain, reader }: LeasedChain,
  page: readonly SearchAddress[],
  atBlock: number,
): Promise<ReadonlyMap<string, Amount>> {
  const { currencyId } = nativeCurrency(chain.definition);
  const addressIds = page.map(({ addressId }) => addressId);
  const asked = { chain: chain.definition.name, addressIds, currencyIds: [currencyId], atBlock };
  const known = await readExpectedBalances(reader, asked);
  return new Map(
    page.map(({ addressId, address }) => [
      address,
      known.get(addressId)?.get(currencyId) ?? zero(currencyId),
    ]),
  );
}

/** Waits until the books are final up to the block, because only then can a balance be compared with them. */
async function untilFinal(watch: LeasedChain, number: number, signal: AbortSignal): Promise<void> {
  for (let look = 0; look < MAX_LOOKS && !signal.aborted; look++) {
    const cursor = await cursorOf(watch);
    if ((cursor?.finalNumber ?? -1) >= number) return;
    await watch.world.sleep(LOOK_EVERY_MS, signal);
  }
  const { name } = watch.chain.definition;
  throw new Outage(`${name}: balances are of block ${number}, which is not final in the books`, {
    kind: 'not-yet',
  });
}

function disagreement(
  { chain }: LeasedChain,
  address: string,
  place: number,
  reports: readonly BalanceReport[],
): Outage {
  const native = nativeCurrency(chain.definition);
  const words = reports.map(({ provider, at, amounts }) => {
    const amount = amounts[place];
    return `${provider} ${amount === undefined ? 'nothing' : formatAmount(amount, native)} at block ${at}`;
  });
  const what = `providers report different balances of ${address}: ${words.join(', ')}`;
  return new Outage(`${chain.definition.name}: ${what}`, { kind: 'disagreement' });
}
