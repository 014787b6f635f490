// Value inside transactions is in no root, so where there are two endpoints it is what two of them agree on.
import { Outage } from '../../outage.ts';
import { BehindHead } from '../endpoint/behind-head.ts';
import type { Endpoint } from './endpoint.ts';
import type { Endpoints, Failure } from './endpoints.ts';
import type { InnerMovements } from './inner-movements.ts';
import type { Movement } from './movement.ts';

interface Opinion {
  readonly endpoint: Endpoint;
  readonly value: InnerMovements;
}

const needed = 2;

/**
 * What the first endpoint tells where it is the only one, or where nothing can move inside; else every transaction for
 * what two endpoints tell alike, null where fewer than two can trace it. Whoever hides a payment says that nothing
 * moved, so that has to be confirmed as well. Throws Outage that names the sides where they contradict each other or
 * where nobody is there to confirm, BehindHead where the others lack the block yet.
 */
export async function agreeOnInner(
  endpoints: Endpoints,
  number: number,
  first: Opinion,
  read: (endpoint: Endpoint) => Promise<InnerMovements>,
): Promise<InnerMovements> {
  if (first.value.size === 0 || endpoints.count < needed) return first.value;
  const places = [...first.value.keys()];
  const enough = (others: readonly Opinion[]): boolean =>
    places.every((place) => agreed([first, ...others], place) !== null);
  const { answers, failures } = await endpoints.collect(read, enough, first.endpoint);
  const opinions = [first, ...answers];
  const settled = new Map(places.map((place) => [place, settle(opinions, place, number)]));
  const open = [...settled.values()].includes(null);
  if (open && opinions.length < endpoints.count) throw unconfirmed(endpoints, failures, number);
  return settled;
}

/** The others being behind is a matter of moments, unless they stand still: then somebody has to be told. */
function unconfirmed(endpoints: Endpoints, failures: readonly Failure[], number: number): Outage {
  const still = failures.find(({ endpoint, error }) => error instanceof BehindHead && endpoint.standsStill);
  if (still === undefined) return endpoints.outage(failures);
  const what = `nothing confirms what moved inside block ${number}`;
  return new Outage(`${still.endpoint.name} stands still, so ${what}`, { retryable: true });
}

function settle(opinions: readonly Opinion[], place: number, number: number): readonly Movement[] | null {
  const movements = agreed(opinions, place);
  if (movements !== null) return movements;
  const sides = opinions.filter(({ value }) => textOf(value.get(place)) !== null);
  if (sides.length < needed) return null;
  const names = sides.map(({ endpoint }) => endpoint.name).join(' and ');
  const what = `what moved inside transaction ${place} of block ${number}`;
  throw new Outage(`the endpoints disagree on ${what}: ${names}`, {
    retryable: true,
    kind: 'inner-disagreement',
  });
}

/** What two of them tell alike, or null. */
function agreed(opinions: readonly Opinion[], place: number): readonly Movement[] | null {
  const seen = new Set<string>();
  for (const { value } of opinions) {
    const movements = value.get(place) ?? null;
    const text = textOf(movements);
    if (text === null) continue;
    if (seen.has(text)) return movements;
    seen.add(text);
  }
  return null;
}

function textOf(movements: readonly Movement[] | null | undefined): string | null {
  if (movements === null || movements === undefined) return null;
  return movements.map(({ position, from, to, units }) => `${position} ${from} ${to} ${units}`).join('\n');
}
