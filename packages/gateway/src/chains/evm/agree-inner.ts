// Value inside transactions is in no root, so where there are two endpoints it is what two of them agree on.
import { Outage } from '../../runtime/outage.ts';
import { BehindHead } from '../endpoint/behind-head.ts';
import type { Endpoint } from './endpoint.ts';
import type { Endpoints, Failure } from './endpoints.ts';
import type { InnerMovements } from './inner-movements.ts';
import type { Movement } from './movement.ts';

export interface Opinion {
  readonly endpoint: Endpoint;
  readonly value: InnerMovements;
}

const needed = 2;

/**
 * What the first endpoint tells where it is the only one, or where nothing can move inside; else every transaction for
 * what two endpoints tell alike. Whoever hides a payment says that nothing moved, so that has to be confirmed as well.
 * Null where more of them have to be heard.
 */
export function agreedInner(
  endpoints: Endpoints,
  [first, ...others]: readonly [Opinion, ...(readonly Opinion[])],
): InnerMovements | null {
  if (first.value.size === 0 || endpoints.count < needed) return first.value;
  const inner = new Map<number, readonly Movement[]>();
  for (const place of first.value.keys()) {
    const movements = agreed([first, ...others], place);
    if (movements === null) return null;
    inner.set(place, movements);
  }
  return inner;
}

/**
 * The same where nobody else can be heard, null for a transaction that fewer than two can trace. Throws Outage that
 * names the sides where they contradict each other or where nobody is there to confirm, BehindHead where the others
 * lack the block yet.
 */
export function settleInner(
  endpoints: Endpoints,
  number: number,
  opinions: readonly [Opinion, ...(readonly Opinion[])],
  failures: readonly Failure[],
): InnerMovements {
  const whole = agreedInner(endpoints, opinions);
  if (whole !== null) return whole;
  const away = endpoints.count - opinions.length;
  const places = [...opinions[0].value.keys()];
  const settled = new Map(places.map((place) => [place, settle(opinions, place, number)]));
  const isOpen = places.some((place) => settled.get(place) === null && mayBeShown(opinions, place, away));
  if (isOpen) throw unconfirmed(endpoints, failures, number);
  return settled;
}

/** Whether those that are away could make two who show it. One that says alone that it is too much decides nothing. */
function mayBeShown(opinions: readonly Opinion[], place: number, away: number): boolean {
  if (away === 0) return false;
  return opinions.length < needed || shownBy(opinions, place).length + away >= needed;
}

/** The others being behind is a matter of moments, unless they stand still or are far: then somebody has to be told. */
function unconfirmed(endpoints: Endpoints, failures: readonly Failure[], number: number): Outage {
  const behind = failures.filter(({ error }) => error instanceof BehindHead).map(({ endpoint }) => endpoint);
  const late = behind.find((endpoint) => endpoint.standsStill || endpoint.isFarBelow(number));
  if (late === undefined) return endpoints.outage(failures);
  const how = late.standsStill ? 'stands still' : `is far behind, at ${late.lastHead.height}`;
  const what = `nothing confirms what moved inside block ${number}`;
  return new Outage(`${late.name} ${how}, so ${what}`, { retryable: true });
}

function settle(opinions: readonly Opinion[], place: number, number: number): readonly Movement[] | null {
  const movements = agreed(opinions, place);
  if (movements !== null) return movements;
  const sides = shownBy(opinions, place);
  if (sides.length < needed) return null;
  const names = sides.map(({ endpoint }) => endpoint.name).join(' and ');
  const what = `what moved inside transaction ${place} of block ${number}`;
  throw new Outage(`the endpoints disagree on ${what}: ${names}`, {
    retryable: true,
    kind: 'inner-disagreement',
  });
}

interface Shown {
  readonly endpoint: Endpoint;
  readonly movements: readonly Movement[];
}

function shownBy(opinions: readonly Opinion[], place: number): readonly Shown[] {
  return opinions.flatMap(({ endpoint, value }) => {
    const movements = value.get(place) ?? null;
    return movements === null ? [] : { endpoint, movements };
  });
}

/** What two of them tell alike, or null. */
function agreed(opinions: readonly Opinion[], place: number): readonly Movement[] | null {
  const shown = shownBy(opinions, place).map(({ movements }) => movements);
  return shown.find((one, index) => shown.slice(0, index).some((other) => isSame(one, other))) ?? null;
}

/** One by one: a node can tell so many that no text could hold them all. */
function isSame(one: readonly Movement[], other: readonly Movement[]): boolean {
  if (one.length !== other.length) return false;
  return one.every(({ position, from, to, units }, index) => {
    const same = other[index];
    return same?.units === units && same.to === to && same.from === from && same.position === position;
  });
}
