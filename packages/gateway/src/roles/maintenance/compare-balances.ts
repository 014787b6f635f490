// Compares the balances of addresses with the books, at one height. First one provider is asked. A difference counts only
// once a quorum of providers reports it.
import { type Currency, isNativeCurrency } from '@ducat/core/chain/currency';
import { agreeOnSurplus, type Surplus } from '@ducat/core/chain/surplus';
import { type Amount, compare, isZero, subtract, zero } from '@ducat/core/money/amount';
import { formatAmount } from '@ducat/core/money/decimal';
import { addressesPerCall } from '@ducat/core/reserves/plan';
import type { ChainReader } from '../../chains/port/reader.ts';
import { type BooksBlock, readBooksHeight } from '../../db/reports/books-height.ts';
import type { UsedAddress } from '../../db/reports/touched-addresses.ts';
import { readExpectedBalances } from '../../db/tables/books/expected-balances.ts';
import type { Reader } from '../../db/postgres/tx.ts';
import type { ComparedBalance } from '../../flows/checks/record-comparison.ts';
import { Outage } from '../../runtime/outage.ts';
import type { World } from '../../runtime/world.ts';

/** What the checks ask of a chain. */
export type ReserveChain = Pick<ChainReader, 'definition' | 'quorum' | 'balances' | 'providers'>;

export interface Comparing {
  readonly chain: ReserveChain;
  readonly reader: Reader;
  readonly world: World;
  /** Called for each call to a provider, so that the calls can be kept within the operator's limit. */
  readonly onCall: () => void;
  readonly signal: AbortSignal;
}

/** A report of a height that the books have not reached waits for them: how often they are read, and for how long. */
const WAIT_STEP_MS = 1_000;
const MOST_WAIT_MS = 120_000;

/** Throws Outage where the chain cannot be asked, or no quorum reports the same. */
export async function compareBalances(
  comparing: Comparing,
  currency: Currency,
  addresses: readonly UsedAddress[],
): Promise<readonly ComparedBalance[]> {
  const perCall = addressesPerCall[comparing.chain.definition.family];
  const compared: ComparedBalance[] = [];
  for (let from = 0; from < addresses.length; from += perCall) {
    compared.push(...(await comparePage(comparing, currency, addresses.slice(from, from + perCall))));
  }
  return compared;
}

async function comparePage(
  comparing: Comparing,
  currency: Currency,
  page: readonly UsedAddress[],
): Promise<readonly ComparedBalance[]> {
  const [first = []] = await readReports(comparing, currency, page, 1);
  const differing = page.filter((_, place) => !isEqual(first[place]));
  if (differing.length === 0) return first;
  const confirmed = await confirm(comparing, currency, differing);
  return [...first.filter(isEqual), ...confirmed];
}

/** Asks a quorum of providers. While they do not agree, asks one provider more, until all were asked. */
async function confirm(
  comparing: Comparing,
  currency: Currency,
  addresses: readonly UsedAddress[],
): Promise<readonly ComparedBalance[]> {
  const { quorum } = comparing.chain;
  const most = Math.max(quorum, comparing.chain.providers().length);
  for (let count = quorum; ; count++) {
    const reports = await readReports(comparing, currency, addresses, count);
    const { agreed, disputed } = agreeOnSurplus(
      reports.map((report) => surplusIn(addresses, report)),
      quorum,
    );
    if (disputed.length === 0) {
      return addresses.flatMap(({ address }, place) => {
        const balances = reports.flatMap((report) => report[place] ?? []);
        const difference = agreed.get(address) ?? zero(currency.currencyId);
        return balances.find((one) => compare(differenceOf(one), difference) === 0) ?? [];
      });
    }
    if (count >= most) throw disagreement(currency, addresses, disputed[0], reports);
  }
}

function surplusIn(addresses: readonly UsedAddress[], report: readonly ReportedBalance[]): Surplus {
  return new Map(report.map((one, place) => [addresses[place]?.address ?? '', differenceOf(one)]));
}

function disagreement(
  currency: Currency,
  addresses: readonly UsedAddress[],
  disputed: string | undefined,
  reports: readonly (readonly ReportedBalance[])[],
): Outage {
  const place = addresses.findIndex(({ address }) => address === disputed);
  const say = (one: ReportedBalance | undefined) =>
    one === undefined ? '' : `${one.provider} ${formatAmount(one.actual, currency)} at block ${one.atBlock}`;
  const reported = reports.map((report) => say(report[place])).join(', ');
  return new Outage(`providers report different balances of ${disputed} in ${currency.symbol}: ${reported}`, {
    kind: 'disagreement',
  });
}

interface ReportedBalance extends ComparedBalance {
  readonly provider: string;
}

/** The reports of `count` providers, each with the balances of the books at the height of the report. */
async function readReports(
  { chain, reader, world, onCall, signal }: Comparing,
  currency: Currency,
  addresses: readonly UsedAddress[],
  count: number,
): Promise<readonly (readonly ReportedBalance[])[]> {
  const { name } = chain.definition;
  const waiting = { reader, world, signal };
  const at = await booksBlock(waiting, name, currency, 0);
  for (let call = 0; call < count; call++) onCall();
  const reports = await chain.balances(
    addresses.map(({ address }) => address),
    currency,
    at,
    count,
  );
  const { currencyId } = currency;
  const addressIds = addresses.map(({ addressId }) => addressId);
  const asked = { chain: name, addressIds, currencyIds: [currencyId] };
  const compared: (readonly ReportedBalance[])[] = [];
  for (const { provider, at: atBlock, amounts } of reports) {
    await booksBlock(waiting, name, currency, atBlock);
    const books = await readExpectedBalances(reader, { ...asked, atBlock });
    compared.push(
      addressIds.map((addressId, place) => {
        const actual = amounts[place];
        if (actual === undefined) throw new Outage(`${provider} leaves out a balance`, { kind: 'invalid' });
        const expected = books.get(addressId)?.get(currencyId) ?? zero(currencyId);
        return { provider, addressId, expected, actual, atBlock };
      }),
    );
  }
  return compared;
}

type Waiting = Pick<Comparing, 'reader' | 'world' | 'signal'>;

/** The newest block up to which the books know everything of a currency. Waits until it is at least at this height. */
async function booksBlock(
  { reader, world, signal }: Waiting,
  chain: string,
  currency: Currency,
  least: number,
): Promise<BooksBlock> {
  for (let waitedMs = 0; ; waitedMs += WAIT_STEP_MS) {
    const { final, searched } = await readBooksHeight(reader, chain);
    const block = isNativeCurrency(currency) ? searched : final;
    if (block !== null && block.number >= least) return block;
    if (final === null || waitedMs >= MOST_WAIT_MS || signal.aborted) {
      const where = block === null ? 'know no final block yet' : `are at block ${block.number}`;
      throw new Outage(`the books of ${chain} ${where}, and not at ${least}`, { kind: 'not-yet' });
    }
    await world.sleep(WAIT_STEP_MS, signal);
  }
}

function differenceOf({ expected, actual }: ComparedBalance): Amount {
  return subtract(actual, expected);
}

function isEqual(balance: ComparedBalance | undefined): boolean {
  return balance !== undefined && isZero(differenceOf(balance));
}
