// Value that moved inside a block's transactions, asked for one by one where the block as a whole is too much.
import type { Currency } from '@ducat/core/chain/currency';
import { Outage } from '../../runtime/outage.ts';
import { BehindHead } from '../endpoint/behind-head.ts';
import { LyingNode } from '../endpoint/lying-node.ts';
import { Throttled } from '../endpoint/throttled.ts';
import { TooMuch } from '../endpoint/too-much.ts';
import { UnreadableBlock } from '../endpoint/unreadable-block.ts';
import { Untimely } from '../endpoint/untimely.ts';
import { AnotherBlock } from './another-block.ts';
import type { Endpoint } from './endpoint.ts';
import type { ExecutedBlock, ExecutedTransaction } from './executed-block.ts';
import { expectBlock } from './expect-block.ts';
import type { Movement } from './movement.ts';
import type { CallFrame } from './native-transfers.ts';
import { hasThrownAway, saysOldState } from './old-state.ts';
import { OutOfTime, type ReadingTime } from './reading-time.ts';
import type { Rpc } from './rpc.ts';
import type { ToldSoFar } from './trace-notes.ts';
import { tracedMovements } from './traced-movements.ts';
import { isMissing, isUntold } from './untold.ts';

/** The top frame of one transaction; of that block, where one is given. */
export type TraceOne = (rpc: Rpc, id: string, block?: ExecutedBlock) => Promise<CallFrame>;

export interface PartsReading {
  readonly endpoint: Endpoint;
  readonly time: ReadingTime;
  readonly traceOne: TraceOne;
  readonly block: ExecutedBlock;
  readonly places: readonly number[];
  readonly currency: Currency;
}

interface Part {
  readonly place: number;
  readonly transaction: ExecutedTransaction;
}

/** What is found out in one reading. */
interface Findings {
  readonly told: Map<number, readonly Movement[] | null>;
  /** While others were told, of these time ran out, or the node said that they are too much, or broke over them. */
  readonly untold: Map<Part, Outage>;
  tracing: Tracing;
}

/** What shows that it traces: all that was asked last was told; or only that it has thrown away the state of that by now. */
type Tracing = 'unknown' | 'told' | 'thrown away';

const atOnce = 8;
/** Of those that are larger than ordinary ones; 64 MB in all. */
const mostLarge = 16;
/** After so many askings beside others it is asked alone. */
const besideAskings = 2;

/**
 * Null for a transaction whose trace was counted to be too much, or was not told for longer than the patience, while
 * others were. Throws UnreadableBlock until then, Untimely where nothing is traced at all, else Outage; what was told by
 * then is not asked for again.
 */
export async function readInParts(reading: PartsReading): Promise<ToldSoFar> {
  const { endpoint, block, places } = reading;
  const { number, hash } = block.header;
  const { traces } = endpoint;
  const parts = places.flatMap((place): Part | readonly Part[] => {
    const transaction = block.transactions[place];
    return transaction === undefined ? [] : { place, transaction };
  });
  const findings: Findings = { told: new Map(traces.begun(hash)), untold: new Map(), tracing: 'unknown' };
  for (const { place, transaction } of parts)
    if (traces.isTooMuch(hash, transaction.id)) findings.told.set(place, null);
  const ended = await askParts(reading, parts, findings).catch(unlessLie);
  // They are asked for by id alone, so the block has to be there afterwards as well.
  await expectBlock(endpoint, block.header).catch((error: unknown) => {
    if (!(error instanceof AnotherBlock || error instanceof BehindHead || error instanceof LyingNode))
      keepOutlasted(reading, findings, error);
    throw ended ?? error;
  });
  const waits = passOutlasted(reading, findings);
  const { told } = findings;
  if (told.size > 0 || waits.length > 0) traces.begin(hash, told);
  if (ended !== null) throw ended;
  const [first] = waits;
  if (first !== undefined) {
    const more = waits.length > 1 ? ` and ${waits.length - 1} more` : '';
    throw new UnreadableBlock(`does not trace ${first}${more} in block ${number}`);
  }
  traces.end(hash);
  return told;
}

/** Which have to be waited for, with what was said of them. */
function passOutlasted(
  { endpoint, block }: PartsReading,
  findings: Pick<Findings, 'told' | 'untold'>,
): readonly string[] {
  const waits: string[] = [];
  for (const [{ place, transaction }, error] of findings.untold) {
    const isLate = !(error instanceof TooMuch) || error.isLate;
    const outlasted = endpoint.traces.patience.note(keyOf(block, transaction), isLate);
    if (outlasted === 'none') waits.push(`${transaction.id} (${error.message})`);
    else findings.told.set(place, null);
  }
  return waits;
}

/**
 * Where nobody knows whether the block is still there nothing is told yet: what was found counts if it is seen there again
 * soon, so that an endpoint which wants to be asked less often is not asked for the same again and again. Whoever takes
 * down the node at each asking is not asked for again once it has outlasted the patience; but where all is asked less
 * often after some were told, no transaction is to blame for being refused so.
 */
function keepOutlasted(reading: PartsReading, findings: Findings, error: unknown): void {
  const { traces } = reading.endpoint;
  const { hash } = reading.block.header;
  const told = new Map(traces.begun(hash));
  const isPace = error instanceof Throttled && findings.told.size > told.size;
  const blamed = [...findings.untold].filter(([, one]) => !(isPace && one instanceof Throttled));
  passOutlasted(reading, { told, untold: new Map(blamed) });
  traces.begin(hash, told, new Map([...findings.told, ...told]));
}

/** What was told before an outage is worth as much as without it. */
function unlessLie(error: unknown): Outage {
  if (error instanceof Outage && !(error instanceof LyingNode)) return error;
  throw error;
}

async function askParts(reading: PartsReading, parts: readonly Part[], findings: Findings): Promise<null> {
  const { endpoint, time, block } = reading;
  const { told } = findings;
  const [small, wide] = [time.limit(endpoint.traceRpc), time.limit(endpoint.largeTraceRpc)];
  const isLarge = ({ transaction }: Part): boolean =>
    endpoint.traces.isLarge(block.header.hash, transaction.id);
  const rest = parts.filter(({ place }) => !told.has(place));
  const large = rest.filter(isLarge);
  for (const asked of inTurns(
    reading,
    rest.filter((part) => !isLarge(part)),
  ))
    for (const part of await askSome(reading, small, asked, findings)) {
      endpoint.traces.noteLarge(block.header.hash, part.transaction.id);
      large.push(part);
    }
  // Bytes of trace are cheap and gas is not: so nobody pushes out what others pay for more dearly.
  large.sort((one, other) => byGas(other, one) || one.place - other.place);
  for (const part of large.slice(0, mostLarge)) {
    const [counted] = await askSome(reading, wide, [part], findings);
    if (counted === undefined) continue;
    endpoint.traces.noteTooMuch(block.header.hash, part.transaction.id);
    told.set(part.place, null);
  }
  for (const { place } of large.slice(mostLarge)) told.set(place, null);
  return null;
}

function byGas(one: Part, other: Part): number {
  return Number(one.transaction.gas - other.transaction.gas);
}

/**
 * Those last that were not told before, and alone at last: one that breaks the backend takes down what is asked beside it.
 * Else those first that used the least gas, so that a payment does not wait for what takes long to trace.
 */
function inTurns({ endpoint, block }: PartsReading, parts: readonly Part[]): readonly (readonly Part[])[] {
  const askings = ({ transaction }: Part): number =>
    endpoint.traces.patience.askings(keyOf(block, transaction));
  const inVain = ({ transaction }: Part): number => endpoint.traces.inVain(block.header.hash, transaction.id);
  const sorted = [...parts].sort(
    (one, other) => askings(one) - askings(other) || inVain(one) - inVain(other) || byGas(one, other),
  );
  const beside = sorted.filter((part) => askings(part) < besideAskings);
  const turns: (readonly Part[])[] = [];
  for (let start = 0; start < beside.length; start += atOnce) turns.push(beside.slice(start, start + atOnce));
  return [...turns, ...sorted.slice(beside.length).map((part) => [part])];
}

/** Those whose answer was counted to be too much. Throws Untimely where nothing is traced, and none of them is to blame. */
async function askSome(
  reading: PartsReading,
  rpc: Rpc,
  parts: readonly Part[],
  findings: Findings,
): Promise<readonly Part[]> {
  if (findings.tracing !== 'told') await proveTracing(reading, findings);
  const [one, ...others] = parts;
  if (findings.tracing === 'thrown away' && one !== undefined && others.length > 0) {
    const counted = await askOne(reading, rpc, one, findings);
    return [...counted, ...(await askSome(reading, rpc, others, findings))];
  }
  const answers = await askAtOnce(reading, rpc, parts, findings);
  const untold = answers.filter((answer) => answer instanceof Outage);
  const throttled = untold.find((answer) => answer instanceof Throttled);
  // One that is only behind traces older blocks, and nothing of this one: that is no transaction's matter.
  const missing = untold.find(isMissing);
  const isSome = answers.some((answer) => answer === 'told' || answer === 'counted');
  const [first] = untold;
  if (first !== undefined && !isSome && !isToBlame(untold.length, findings))
    throw throttled ?? nothingTraced(reading.endpoint, first);
  for (const [index, part] of parts.entries()) {
    const answer = answers[index];
    if (answer instanceof Outage && !isMissing(answer)) findings.untold.set(part, answer);
  }
  if (throttled !== undefined) throw throttled;
  if (missing !== undefined) throw nothingTraced(reading.endpoint, missing);
  findings.tracing = isSome && untold.length === 0 ? 'told' : 'unknown';
  return parts.filter((_, index) => answers[index] === 'counted');
}

/**
 * The first of several where little shows that it traces: one that is told shows more. Throws Untimely where it is not,
 * and another one is the first the next time, as the backend may have broken over this one.
 */
async function askOne(
  reading: PartsReading,
  rpc: Rpc,
  part: Part,
  findings: Findings,
): Promise<readonly Part[]> {
  const [answer] = await askAtOnce(reading, rpc, [part], findings);
  if (answer instanceof Outage) {
    reading.endpoint.traces.noteInVain(reading.block.header.hash, part.transaction.id);
    throw answer instanceof Throttled ? answer : nothingTraced(reading.endpoint, answer);
  }
  if (answer !== 'gone') findings.tracing = 'told';
  return answer === 'counted' ? [part] : [];
}

/** In their order, once all have answered: nothing may be told after the block was seen again. */
async function askAtOnce(
  reading: PartsReading,
  rpc: Rpc,
  parts: readonly Part[],
  findings: Findings,
): Promise<readonly Answer[]> {
  const settled = await Promise.allSettled(parts.map((part) => askPart(reading, rpc, part, findings)));
  return settled.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
}

/** That the state of another one is gone says little: while the backend is away, what is before it may say so itself. */
function isToBlame(untold: number, { tracing }: Findings): boolean {
  return tracing === 'told' || (tracing === 'thrown away' && untold === 1);
}

/** `counted` to be too much; `gone` with the state that it ran on; an Outage where it was not told. */
type Answer = 'told' | 'counted' | 'gone' | Outage;

async function askPart(
  { endpoint, traceOne, block, currency }: PartsReading,
  rpc: Rpc,
  part: Part,
  { told, untold }: Findings,
): Promise<Answer> {
  const { place, transaction } = part;
  const { traces } = endpoint;
  const { patience } = traces;
  try {
    const frame = await traceOne(rpc, transaction.id, block);
    told.set(place, tracedMovements(frame, transaction, block, currency));
  } catch (error) {
    // A gateway may refuse one transaction in the words for too many questions.
    if (error instanceof Throttled) return error;
    if (!isUntold(error)) throw error;
    if (error instanceof TooMuch && error.by === 'count') return 'counted';
    if (!saysOldState(error)) return error;
    // It was larger or not told while others were: a chain must not stand for ever for what one payer made. Of one that is
    // only larger it has to be said twice, as a backend that is behind says so too.
    if (patience.askings(keyOf(block, transaction)) > 0) told.set(place, null);
    else if (traces.isLarge(block.header.hash, transaction.id)) untold.set(part, error);
    else throw error;
    return 'gone';
  }
  traces.noteTraced(transaction.id);
  patience.forget(keyOf(block, transaction));
  return 'told';
}

/**
 * What is not told is a matter of that transaction only where another one was just before: afterwards, the backend may
 * have broken over it. Where that cannot be had (nothing was traced yet, a fork took it, its state is gone), the first
 * answers have to show it.
 */
async function proveTracing({ endpoint, time, traceOne }: PartsReading, findings: Findings): Promise<void> {
  const { lastTraced } = endpoint.traces;
  if (lastTraced === null) return;
  try {
    await traceOne(time.limit(endpoint.largeTraceRpc), lastTraced);
    findings.tracing = 'told';
  } catch (error) {
    if (!(error instanceof Outage) || error instanceof Throttled || error instanceof OutOfTime) throw error;
    if (error instanceof TooMuch && error.by === 'count') findings.tracing = 'told';
    else if (hasThrownAway(error)) findings.tracing = 'thrown away';
    else return;
  }
  endpoint.traces.noteTraced(lastTraced);
}

function keyOf({ header }: ExecutedBlock, { id }: ExecutedTransaction): string {
  return `${header.hash} ${id}`;
}

function nothingTraced({ traces }: Endpoint, untold: Outage): Untimely {
  const reason = `traces nothing now: ${untold.message}`;
  traces.noteNothing(reason);
  return new Untimely(reason, { cause: untold });
}
