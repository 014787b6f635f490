// What a quorum of providers reports that our addresses hold beyond the books.
import { nativeCurrency } from '@ducat/core/chain/chain';
import { agreeOnSurplus, type Surplus, surplusOf } from '@ducat/core/chain/surplus';
import { zero } from '@ducat/core/money/amount';
import { formatAmount } from '@ducat/core/money/decimal';
import type { BalanceReport, BlockReference } from '../../../chains/port/reader.ts';
import { readExpectedBalances } from '../../../db/tables/expected-balances.ts';
import type { SearchAddress } from '../../../db/tables/transfers/proposals.ts';
import { Outage } from '../../../runtime/outage.ts';
import { cursorOf, type LeasedChain } from '../parts.ts';

/** How often it is looked whether the books have reached a report, and how long. */
const LOOK_EVERY_MS = 1_000;
const LOOKS = 120;

export interface FoundSurplus {
  readonly surplus: Surplus;
  /** The lowest block that a report is of; the books have reached the highest. */
  readonly at: number;
}

/**
 * Asks one provider more as long as no quorum reports the same of an address. Where providers cannot look back, reports
 * are of later blocks than `at`, and the books are waited for. Throws Outage 'disagreement' where all were asked.
 */
export async function readSurplus(
  watch: LeasedChain,
  page: readonly SearchAddress[],
  at: BlockReference,
  signal: AbortSignal,
): Promise<FoundSurplus> {
  const { chain } = watch;
  const native = nativeCurrency(chain.definition);
  const addresses = page.map(({ address }) => address);
  for (let count = chain.quorum; ; count++) {
    const reports = await chain.balances(addresses, native, at, count);
    const heights = reports.map((report) => report.at);
    await untilFinal(watch, Math.max(...heights), signal);
    const surpluses = await Promise.all(reports.map((report) => surplusIn(watch, page, report)));
    const { agreed, disputed } = agreeOnSurplus(surpluses, chain.quorum);
    const [first] = disputed;
    if (first === undefined) return { surplus: agreed, at: Math.min(...heights) };
    if (count >= chain.providers().length) throw disagreement(watch, first, addresses.indexOf(first), reports);
  }
}

/** What these addresses hold beyond the books by one provider's report. */
export async function surplusIn(
  { chain, reader }: LeasedChain,
  page: readonly SearchAddress[],
  report: BalanceReport,
): Promise<Surplus> {
  const { currencyId } = nativeCurrency(chain.definition);
  const addressIds = page.map(({ addressId }) => addressId);
  const known = await readExpectedBalances(reader, {
    chain: chain.definition.name,
    addressIds,
    currencyIds: [currencyId],
    atBlock: report.at,
  });
  const expected = addressIds.map((id) => known.get(id)?.get(currencyId) ?? zero(currencyId));
  return surplusOf(
    page.map(({ address }) => address),
    { amounts: report.amounts, expected },
  );
}

/** A balance says something only where the books know all blocks up to it. */
async function untilFinal(watch: LeasedChain, number: number, signal: AbortSignal): Promise<void> {
  for (let look = 0; look < LOOKS && !signal.aborted; look++) {
    const cursor = await cursorOf(watch);
    if ((cursor?.finalNumber ?? -1) >= number) return;
    await watch.world.sleep(LOOK_EVERY_MS, signal);
  }
  const { name } = watch.chain.definition;
  throw new Outage(`${name}: balances are of block ${number}, which is not final in the books`, { kind: 'not-yet' });
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
