// What the other endpoints show under the hash of a header that does not prove itself, asked all at once.
import { Outage } from '../../runtime/outage.ts';
import { within, type World } from '../../runtime/world.ts';
import { BehindHead } from '../endpoint/behind-head.ts';
import { LyingNode } from '../endpoint/lying-node.ts';
import { Untimely } from '../endpoint/untimely.ts';
import type { Endpoint } from './endpoint.ts';
import type { Endpoints, Failure } from './endpoints.ts';
import { checkHeaderHash } from './header-hash.ts';
import { headerAnswer, quantityAnswer, type RawHeader } from './raw-block.ts';

/** How many have to show the same header, where as many are configured. */
export const neededHeaders = 2;
/** A header is a small answer; whoever takes longer is not waited for, while the time counts as the reader's. */
const mostWaitMs = 5_000;

/** A header that an endpoint told, which its hash does not follow from. */
export interface ToldHeader {
  readonly endpoint: Endpoint;
  readonly number: number;
  readonly hash: string;
  readonly content: string;
}

export interface ShownHeader {
  readonly endpoint: Endpoint;
  readonly content: string;
  /** Whether the hash follows from it. */
  readonly isProven: boolean;
}

/** What one of the others has under that hash, or why it shows nothing; it has no such block, `isAbsent`. */
type Heard = ShownHeader | (Failure & { readonly isAbsent: boolean });

/** Everything that is used of a header, as one text: two with the same text are the same to us. */
export function contentOf(header: RawHeader): string {
  const { hash, parentHash, transactionsRoot, receiptsRoot } = header;
  const hashes = [hash, parentHash, transactionsRoot, receiptsRoot].map((one) => one.toLowerCase());
  return [quantityAnswer(header.number), quantityAnswer(header.timestamp), ...hashes].join(' ');
}

/**
 * Returns where a second endpoint shows the same; `onShown` is told of every header that is shown, also of those that
 * come later. Throws LyingNode where the others show that this one is false, BehindHead where they have not come as
 * far, else Outage. They are asked together, so that no single one can hold up what the others tell alike.
 */
export async function confirmHeader(
  endpoints: Endpoints,
  told: ToldHeader,
  onShown: (shown: ShownHeader) => void,
  world: World,
): Promise<void> {
  const others = endpoints
    .map((endpoint) => endpoint)
    .filter((one) => one !== told.endpoint && one.available);
  const heard: Heard[] = [];
  const asked = others.map(async (endpoint) => {
    const one = await ask(endpoint, told);
    heard.push(one);
    if ('content' in one) onShown(one);
  });
  const verdict = await within(
    world,
    mostWaitMs,
    untilDecided(asked, () => verdictOf(heard, told)),
  );
  if (verdict === 'same') return;
  if (verdict === 'proven') throw uncovered(told.number);
  if (verdict === 'other') throw anotherHeader(told);
  throw unconfirmed(endpoints, told, heard, heard.length < asked.length);
}

/** The lie of a header with something in it that others who have its hash know to be no part of it. */
export function uncovered(number: number): LyingNode {
  return new LyingNode(`the header of block ${number} has fields that its hash does not cover`);
}

export function anotherHeader({ number, hash }: ToldHeader): LyingNode {
  return new LyingNode(`showed another header of block ${number} ${hash} than two others`);
}

async function ask(endpoint: Endpoint, { number, hash }: ToldHeader): Promise<Heard> {
  try {
    return await endpoint.run(async (): Promise<Heard> => {
      const header = headerAnswer(await endpoint.rpc.call('eth_getBlockByHash', [hash, false]));
      if (header === null) {
        // Whoever makes up a hash must not make others rest for not having it, so this is an answer like any other.
        const isAbsent = (await endpoint.askHead()) >= number;
        const lacks = new Outage(`does not have block ${number} ${hash}`, { retryable: true });
        return { endpoint, isAbsent, error: isAbsent ? lacks : new BehindHead(number) };
      }
      if (header.hash.toLowerCase() !== hash) throw new LyingNode(`answered with another block than ${hash}`);
      const isProven = checkHeaderHash(header).length === 0;
      return { endpoint, content: contentOf(header), isProven };
    });
  } catch (error) {
    if (error instanceof Outage) return { endpoint, error, isAbsent: false };
    throw error;
  }
}

type Verdict = 'same' | 'proven' | 'other';

/** Null while it is open. */
function verdictOf(heard: readonly Heard[], { content }: ToldHeader): Verdict | null {
  const shown = heard.filter((one) => 'content' in one);
  if (shown.some(({ isProven }) => isProven)) return 'proven';
  if (shown.some((one) => one.content === content)) return 'same';
  const alike = (one: ShownHeader): number => shown.filter((other) => other.content === one.content).length;
  return shown.some((one) => alike(one) >= neededHeaders) ? 'other' : null;
}

/** The first verdict, or none once all have been heard. */
function untilDecided(
  asked: readonly Promise<void>[],
  verdictSoFar: () => Verdict | null,
): Promise<Verdict | null> {
  return new Promise((resolve, reject) => {
    const look = (): void => {
      const verdict = verdictSoFar();
      if (verdict !== null) resolve(verdict);
    };
    for (const one of asked) one.then(look, reject);
    Promise.all(asked).then(() => resolve(verdictSoFar()), reject);
  });
}

/** It is nobody's failure that others are away or behind, and it is the teller's where they contradict it. */
function unconfirmed(
  endpoints: Endpoints,
  { endpoint, number, hash }: ToldHeader,
  heard: readonly Heard[],
  isLate: boolean,
): Outage {
  const what = `the header of block ${number}`;
  const shown = heard.filter((one) => 'content' in one);
  if (shown.length > 0) {
    const names = [endpoint, ...shown.map((one) => one.endpoint)].map(({ name }) => name).join(' and ');
    const reason = `the endpoints disagree on ${what} ${hash}: ${names}`;
    return new Outage(reason, { retryable: true, kind: 'disagreement' });
  }
  const failures = heard.filter((one) => 'error' in one);
  const stillOnes = failures.filter((one) => one.error instanceof BehindHead && one.endpoint.standsStill);
  const [still] = stillOnes;
  if (still !== undefined && stillOnes.length === failures.length)
    return new Untimely(`${still.endpoint.name} stands still, so nothing confirms ${what}`);
  if (failures.length === 0 && isLate)
    return new Untimely(`nothing confirms ${what}: nobody else answered within ${mostWaitMs / 1000} seconds`);
  const outage = endpoints.outage(failures);
  if (outage instanceof BehindHead) return outage;
  const reason = `nothing confirms ${what}, as its hash cannot be recomputed: ${outage.message}`;
  const isContradicted = failures.some(({ isAbsent }) => isAbsent);
  return isContradicted ? new Outage(reason, { retryable: true, kind: outage.kind }) : new Untimely(reason);
}
