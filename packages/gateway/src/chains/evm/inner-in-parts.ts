// Value that moved inside a block's transactions, asked for one by one where the block as a whole is too much.
import type { Currency } from '@ducat/core/chain/currency';
import { Outage } from '../../outage.ts';
import { LyingNode } from '../endpoint/lying-node.ts';
import { TooMuch } from '../endpoint/too-much.ts';
import { UnreadableBlock } from '../endpoint/unreadable-block.ts';
import { Untimely } from '../endpoint/untimely.ts';
import { checkTop } from './check-top.ts';
import type { Endpoint } from './endpoint.ts';
import type { ExecutedBlock, ExecutedTransaction } from './executed-block.ts';
import { expectBlock } from './expect-block.ts';
import type { Movement } from './movement.ts';
import { type CallFrame, internalMovements } from './native-transfers.ts';
import type { ReadingTime } from './reading-time.ts';
import type { Rpc } from './rpc.ts';
import type { ToldSoFar } from './trace-notes.ts';

export interface PartsReading {
  readonly endpoint: Endpoint;
  readonly time: ReadingTime;
  /** The top frame of one transaction. */
  readonly traceOne: (rpc: Rpc, id: string) => Promise<CallFrame>;
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
  /** Of these time ran out, or the node said that they are too much. */
  readonly untold: Map<Part, TooMuch>;
  isTracing: boolean;
}

const atOnce = 8;
/** Of those that are larger than ordinary ones; 64 MB in all. */
const mostLarge = 16;

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
  const findings: Findings = { told: new Map(traces.begun(hash)), untold: new Map(), isTracing: false };
  for (const { place, transaction } of parts)
    if (traces.isTooMuch(hash, transaction.id)) findings.told.set(place, null);
  const ended = await askParts(reading, parts, findings).catch(unlessLie);
  // They are asked for by id alone, so the block has to be there afterwards as well.
  await expectBlock(endpoint, block.header).catch((error: unknown) => {
    throw ended ?? error;
  });
  const waits = passOutlasted(reading, findings);
  const { told } = findings;
  if (told.size > 0) traces.begin(hash, told);
  if (ended !== null) throw ended;
  const [first] = waits;
  if (first !== undefined) {
    const more = waits.length > 1 ? ` and ${waits.length - 1} more` : '';
    throw new UnreadableBlock(`does not trace ${first}${more} in block ${number}`);
  }
  traces.end(hash);
  return told;
}

/** Which have to be waited for, with what was said of them. Nothing is passed while nothing at all is traced. */
function passOutlasted({ endpoint, block }: PartsReading, findings: Findings): readonly string[] {
  const waits: string[] = [];
  for (const [{ place, transaction }, { message, isLate }] of findings.untold) {
    if (!findings.isTracing) break;
    const outlasted = endpoint.traces.patience.note(`${block.header.hash} ${transaction.id}`, isLate);
    if (outlasted === 'none') waits.push(`${transaction.id} (${message})`);
    else findings.told.set(place, null);
  }
  return waits;
}

/** What was told before an outage is worth as much as without it. */
function unlessLie(error: unknown): Outage {
  if (error instanceof Outage && !(error instanceof LyingNode)) return error;
  throw error;
}

async function askParts(reading: PartsReading, parts: readonly Part[], findings: Findings): Promise<null> {
  const { endpoint, time } = reading;
  const { told } = findings;
  const [small, wide] = [time.limit(endpoint.traceRpc), time.limit(endpoint.largeTraceRpc)];
  const left = parts.filter(({ place }) => !told.has(place));
  const large: Part[] = [];
  for (let start = 0; start < left.length; start += atOnce) {
    const asked = left.slice(start, start + atOnce);
    const isTooMuch = await Promise.all(asked.map((part) => askPart(reading, small, part, findings)));
    large.push(...asked.filter((_, index) => isTooMuch[index]));
    await expectTracing(reading, findings);
  }
  // Bytes of trace are cheap and gas is not: so nobody pushes out what others pay for more dearly.
  large.sort((one, other) => Number(other.transaction.gas - one.transaction.gas) || one.place - other.place);
  for (const part of large.slice(0, mostLarge)) {
    if (await askPart(reading, wide, part, findings)) {
      endpoint.traces.noteTooMuch(reading.block.header.hash, part.transaction.id);
      told.set(part.place, null);
    }
    await expectTracing(reading, findings);
  }
  for (const { place } of large.slice(mostLarge)) told.set(place, null);
  return null;
}

/** Whether the answer was counted to be too much. */
async function askPart(
  { endpoint, traceOne, block, currency }: PartsReading,
  rpc: Rpc,
  part: Part,
  findings: Findings,
): Promise<boolean> {
  const { place, transaction } = part;
  try {
    const frame = await traceOne(rpc, transaction.id);
    checkTop(frame, transaction, block);
    findings.told.set(place, internalMovements(frame, currency));
  } catch (error) {
    if (!(error instanceof TooMuch)) throw error;
    if (error.by === 'count') return true;
    findings.untold.set(part, error);
    return false;
  }
  findings.isTracing = true;
  endpoint.traces.noteTraced(transaction.id);
  endpoint.traces.patience.forget(`${block.header.hash} ${transaction.id}`);
  return false;
}

/** Where something is not told, something else has to be: else it is no matter of that transaction. */
async function expectTracing(reading: PartsReading, findings: Findings): Promise<void> {
  const [untold] = findings.untold.values();
  if (untold === undefined || findings.isTracing) return;
  const { endpoint, time, traceOne } = reading;
  const { lastTraced } = endpoint.traces;
  const isAsked = [...findings.untold.keys()].some(({ transaction }) => transaction.id === lastTraced);
  if (lastTraced === null || isAsked) throw nothingTraced(endpoint, untold);
  try {
    await traceOne(time.limit(endpoint.largeTraceRpc), lastTraced);
  } catch (error) {
    if (!(error instanceof Outage)) throw error;
    if (!(error instanceof TooMuch) || error.by !== 'count') throw nothingTraced(endpoint, untold);
  }
  findings.isTracing = true;
  endpoint.traces.noteTraced(lastTraced);
}

function nothingTraced({ traces }: Endpoint, { message }: TooMuch): Untimely {
  const reason = `traces nothing now: ${message}`;
  traces.noteNothing(reason);
  return new Untimely(reason);
}
