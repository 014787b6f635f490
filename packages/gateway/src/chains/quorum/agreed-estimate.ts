// One estimate out of those of several providers: figure by figure, so that no single provider sets what a transfer pays.
import { type Amount, amountOf, compare, unitsOf } from '@ducat/core/money/amount';
import { mostUnits, type SendingTerms } from '@ducat/core/outgoing/terms';
import type { TransferEstimate, Unaided } from '../port/writer.ts';

export type Possible = Extract<TransferEstimate, { readonly outcome: 'possible' }>;

/**
 * Each figure is the lowest one that most of the providers, and a quorum of them, stay within: of three the middle one, of
 * two the higher one. Gas that is too low blocks a nonce for ever; a price that is too high is charged and burnt.
 */
export function agreedEstimate(
  [first, ...others]: readonly [Possible, ...Possible[]],
  needed: number,
): Possible {
  const alike = ofOneKind([first, ...others]);
  const enough = Math.max(needed, Math.floor(alike.length / 2) + 1);
  const agreed: Figure = (of) => alike.map(of).toSorted(ascending)[Math.min(enough, alike.length) - 1] ?? 0n;
  // mark: no-provider-sets-a-fee
  const terms = agreedTerms(alike, agreed);
  const { currencyId } = first.most;
  const units = terms.family === 'evm' ? mostUnits(terms) : agreed(({ most }) => unitsOf(most));
  const most = amountOf(currencyId, units);
  const expected = amountOf(
    currencyId,
    agreed((one) => unitsOf(one.expected)),
  );
  // A shortage is measured against the cost that the same provider reported. So it is taken from a provider whose cost is
  // the agreed one or more.
  const byCost = alike.toSorted((one, other) => compare(one.most, other.most));
  const saying = byCost.find((one) => compare(one.most, most) >= 0) ?? byCost.at(-1) ?? first;
  const unaided = agreedUnaided(alike, agreed, needed);
  return { ...saying, terms, expected, most, ...(unaided === null ? {} : { unaided }) };
}

type Figure = (of: (one: Possible) => bigint) => bigint;

/** The sender's coin is what a quorum reports at least. */
function agreedUnaided(alike: readonly Possible[], agreed: Figure, needed: number): Unaided | null {
  const unaided = alike.flatMap((one) => one.unaided ?? []);
  const coin = unaided.map((one) => one.coin).toSorted((one, other) => compare(other, one))[needed - 1];
  if (coin === undefined) return null;
  const figure = (of: (one: Unaided) => Amount): Amount =>
    amountOf(
      coin.currencyId,
      agreed((one) => unitsOf(of(one.unaided ?? { expected: one.expected, most: one.most, coin }))),
    );
  return { expected: figure(({ expected }) => expected), most: figure(({ most }) => most), coin };
}

/** The estimates of the kind that most providers report: a chain either has a base fee or has none. */
function ofOneKind(estimates: readonly Possible[]): readonly Possible[] {
  const isLegacy = ({ terms }: Possible) => terms.family === 'evm' && terms.isLegacy;
  const legacy = estimates.filter(isLegacy);
  return legacy.length * 2 > estimates.length ? legacy : estimates.filter((one) => !isLegacy(one));
}

function agreedTerms(alike: readonly Possible[], agreed: Figure): SendingTerms {
  const isTron = alike.some(({ terms }) => terms.family === 'tron');
  if (isTron)
    return {
      family: 'tron',
      feeLimit: agreed(({ terms }) => (terms.family === 'tron' ? terms.feeLimit : 0n)),
    };
  const figure = (name: 'gasLimit' | 'priceThen' | 'maxFeePerGas' | 'maxPriorityFeePerGas') =>
    agreed(({ terms }) => (terms.family === 'evm' ? terms[name] : 0n));
  return {
    family: 'evm',
    gasLimit: figure('gasLimit'),
    priceThen: figure('priceThen'),
    maxFeePerGas: figure('maxFeePerGas'),
    maxPriorityFeePerGas: figure('maxPriorityFeePerGas'),
    isLegacy: alike.every(({ terms }) => terms.family === 'evm' && terms.isLegacy),
  };
}

function ascending(one: bigint, other: bigint): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
