// In which blocks a surplus arose: bisected where providers can look back, else of the block of the comparison.
import { findChanges, type SurplusChange } from '@ducat/core/chain/bisect';
import { nativeCurrency } from '@ducat/core/chain/chain';
import type { Surplus } from '@ducat/core/chain/surplus';
import { type Amount, compare, isZero, subtract, zero } from '@ducat/core/money/amount';
import { findBlock } from '../../../db/tables/blocks.ts';
import type { SearchAddress } from '../../../db/tables/transfers/proposals.ts';
import { Outage } from '../../../runtime/outage.ts';
import type { LeasedChain } from '../parts.ts';
import { surplusIn } from './read-surplus.ts';

/** Probes of one page; what they do not find counts for a later block. */
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
 * Where each part of the surplus arose. The parts of an address add up to its surplus. What it held before the stretch,
 * and everything where providers do not keep the states between any more, counts for the highest block.
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
    // Nobody but us can take value out: where a surplus fell, reports do not fit together, and only the sum is sure.
    return [...changes, ...rests].some(({ amount }) => isNegative(amount)) ? whole : [...changes, ...rests];
  } catch (error) {
    if (error instanceof Outage && error.kind === 'unsupported') return whole;
    throw error;
  }
}

/** What the changes leave of each surplus: what it held before the stretch. */
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

/** One report is enough: it only says where to look, and the sum was agreed before. */
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
