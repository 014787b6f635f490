// In which blocks a surplus arose: by bisection where providers have past balances, else the block of the comparison.
import { findChanges, type SurplusChange } from '@ducat/core/chain/bisect';
import { nativeCurrency } from '@ducat/core/chain/chain';
import type { Surplus } from '@ducat/core/chain/surplus';
import { type Amount, compare, isZero, subtract, zero } from '@ducat/core/money/amount';
import { findBlock } from '../../../db/tables/blocks.ts';
import type { SearchAddress } from '../../../db/tables/transfers/proposals.ts';
import { Outage } from '../../../runtime/outage.ts';
import type { LeasedChain } from '../parts.ts';
import { surplusIn } from './read-surplus.ts';

/** Probes of one page; a change that they do not find counts for a later block. */
const MAX_PROBES = 200;

/** `low` was compared before, `high` is compared now. */
export interface SearchedStretch {
  readonly low: number;
  readonly high: number;
  readonly after: Surplus;
  /** The addresses with a surplus. */
  readonly page: readonly SearchAddress[];
}

/**
 * In which block each part of the surplus arose. The parts of an address add up to its surplus. Value that the address held
 * before the stretch counts for the highest block. So does everything where providers no longer keep the states in between.
 */
export async function locateSurplus(
  watch: LeasedChain,
  stretch: SearchedStretch,
): Promise<readonly SurplusChange[]> {
  const { high, after } = stretch;
  const whole = [...after].map(([address, amount]) => ({ number: high, address, amount }));
  if (!watch.chain.hasPastBalances) return whole;
  try {
    const changes = await bisect(watch, stretch);
    const rests = restsOf(changes, stretch);
    // Only we can take value out, so a surplus never falls. Where it did, reports do not fit together, and only the sum is
    // sure.
    return [...changes, ...rests].some(({ amount }) => isNegative(amount)) ? whole : [...changes, ...rests];
  } catch (error) {
    if (error instanceof Outage && error.kind === 'unsupported') return whole;
    throw error;
  }
}

/** The rest of each surplus that the changes leave: value that the address held before the stretch. */
function restsOf(
  changes: readonly SurplusChange[],
  { high, after }: SearchedStretch,
): readonly SurplusChange[] {
  const rests = new Map(after);
  for (const { address, amount } of changes) {
    const rest = rests.get(address);
    if (rest !== undefined) rests.set(address, subtract(rest, amount));
  }
  return [...rests]
    .filter(([, rest]) => !isZero(rest))
    .map(([address, amount]) => ({ number: high, address, amount }));
}

function isNegative(amount: Amount): boolean {
  return compare(amount, zero(amount.currencyId)) === -1;
}

async function bisect(watch: LeasedChain, stretch: SearchedStretch): Promise<readonly SurplusChange[]> {
  const { low, high, after, page } = stretch;
  const before = await surplusAt(watch, low, page);
  const search = findChanges({ low, high, before, after }, MAX_PROBES);
  for (let next = search.next(); ; ) {
    if (next.done === true) return next.value;
    const { number, addresses } = next.value;
    next = search.next(
      await surplusAt(
        watch,
        number,
        page.filter(({ address }) => addresses.includes(address)),
      ),
    );
  }
}

/** One provider's report is enough, because it only says where to look. The sum was agreed on before. */
async function surplusAt(
  watch: LeasedChain,
  number: number,
  page: readonly SearchAddress[],
): Promise<Surplus> {
  const { chain, reader } = watch;
  const { definition } = chain;
  const block = await findBlock(reader, definition.name, number);
  if (block === null) throw new Outage(`block ${number} is not kept any more`, { kind: 'unsupported' });
  const addresses = page.map(({ address }) => address);
  const [report] = await chain.balances(addresses, nativeCurrency(definition), block, 1);
  if (report === undefined) throw new Outage(`nobody reports balances at block ${number}`);
  return surplusIn(watch, page, report);
}
