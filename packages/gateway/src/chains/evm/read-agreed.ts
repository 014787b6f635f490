// One block by as many endpoints as it takes: its proven part by one, what moved inside it by two, and how long each took.
import type { TraceMethod } from '@ducat/core/chain/chain';
import type { Currency } from '@ducat/core/chain/currency';
import { Outage } from '../../runtime/outage.ts';
import { LyingNode } from '../endpoint/lying-node.ts';
import type { BlockReference } from '../port.ts';
import type { EndpointAnswer } from '../endpoint/endpoint-pool.ts';
import { agreedInner, type Opinion, settleInner } from './agree-inner.ts';
import { AnotherBlock } from './another-block.ts';
import type { Endpoint } from './endpoint.ts';
import type { Endpoints, Failure } from './endpoints.ts';
import { type ExecutedBlock, executedBlock, watchedOf } from './executed-block.ts';
import { expectBlock } from './expect-block.ts';
import type { HeaderTrust } from './header-trust.ts';
import { type InnerMovements, readInnerMovements } from './inner-movements.ts';
import { namingOldState } from './old-state.ts';
import { readProvenBlock } from './read-block.ts';
import type { ReadingTime } from './reading-time.ts';

export interface BlockQuestion {
  readonly number: number;
  readonly currencies: readonly Currency[];
  readonly traceMethod: TraceMethod;
  readonly trust: HeaderTrust;
}

export interface AgreedBlock {
  readonly block: ExecutedBlock;
  readonly inner: InnerMovements;
  /** Who told the block. */
  readonly endpoint: Endpoint;
}

/** What one endpoint told. */
interface Told {
  /** Null where it was asked about a block that somebody else had told. */
  readonly block: ExecutedBlock | null;
  readonly inner: InnerMovements;
  readonly isSlow: boolean;
}

type Answer = EndpointAnswer<Endpoint, Told>;

/**
 * Where one of them takes long the next one is heard too, so that it is known whether others do without it. Throws
 * BehindHead where those that are needed have not come as far, else Outage.
 */
export async function readAgreed(endpoints: Endpoints, question: BlockQuestion): Promise<AgreedBlock> {
  const settles = (some: readonly Answer[]): boolean => {
    const opinions = opinionsOf(some);
    return opinions !== null && agreedInner(endpoints, opinions) !== null;
  };
  const told: Told[] = [];
  const withoutBlock = new Set<Endpoint>();
  const { answers, failures, tookMs } = await endpoints.collect(
    async (endpoint) => {
      const one = await tell(endpoint, question, told, () => withoutBlock.add(endpoint));
      told.push(one);
      return one;
    },
    (some, next) => settles(next.isSpare ? some : some.filter(({ value }) => !value.isSlow)),
  );
  for (const [endpoint, ms] of tookMs) {
    const sooner = answers.filter((one) => (tookMs.get(one.endpoint) ?? 0) < ms);
    const isTooLate = wasTooLate([...tookMs.keys()], endpoint, failures);
    endpoint.noteTime('a block', ms, () => isTooLate || settles(sooner));
  }
  const first = answers.find(({ value }) => value.block !== null);
  if (!first?.value.block) throw endpoints.outage(failures);
  const { block } = first.value;
  const heard = [...answers];
  const open = failures.filter(({ endpoint }) => !withoutBlock.has(endpoint));
  for (const failure of failures.filter((one) => !open.includes(one))) {
    if (settles(heard) || !failure.endpoint.available) open.push(failure);
    else await hearOfInner(failure.endpoint, question, block, heard, open);
  }
  const opinions = opinionsOf(heard);
  if (opinions === null) throw endpoints.outage(open);
  // What it shows instead is compared with what becomes final there, as if it had been read from it.
  for (const { endpoint, error } of open)
    if (error instanceof AnotherBlock)
      endpoint.toldBlocks.keep({ number: question.number, hash: error.shown });
  if (agreedInner(endpoints, opinions) === null && opinions.length === 1)
    doubtTeller(first.endpoint, block.header, open);
  return { block, inner: settleInner(endpoints, question.number, opinions, open), endpoint: first.endpoint };
}

/** Whether two that were asked after it had no state any more, which they may have had without waiting for it. */
function wasTooLate(asked: readonly Endpoint[], endpoint: Endpoint, failures: readonly Failure[]): boolean {
  const after = asked.slice(asked.indexOf(endpoint) + 1);
  const late = failures.filter((one) => after.includes(one.endpoint) && one.error.kind === 'no-old-state');
  return late.length >= 2;
}

/**
 * Nobody confirms what moved inside its block: where two others have one and the same other block there, it rests for a
 * minute, and is asked last where that comes again and again, as an honest one that saw a fork does not.
 */
function doubtTeller(teller: Endpoint, told: BlockReference, failures: readonly Failure[]): void {
  const shown = failures.flatMap(({ error }) => (error instanceof AnotherBlock ? error.shown : []));
  const agreed = shown.find((hash, place) => shown.indexOf(hash) !== place);
  // Blocks are read side by side, and one fork is one shift.
  if (agreed === undefined || !teller.available) return;
  const reason = `told ${told.hash} as block ${told.number}, and others agree that ${agreed} is there`;
  teller.distrust(new LyingNode(reason));
  teller.noteShift(new LyingNode(reason));
}

/** Who could not tell the block itself may still confirm what moved inside it. */
async function hearOfInner(
  endpoint: Endpoint,
  question: BlockQuestion,
  block: ExecutedBlock,
  heard: Answer[],
  open: Failure[],
): Promise<void> {
  const known: Told = { block, inner: new Map(), isSlow: false };
  try {
    const value = await endpoint.run((one) => tell(one, question, [known], () => undefined));
    heard.push({ endpoint, value });
  } catch (error) {
    if (!(error instanceof Outage)) throw error;
    open.push({ endpoint, error });
  }
}

/** Whoever told the block comes first; null where nobody did. */
function opinionsOf(answers: readonly Answer[]): readonly [Opinion, ...(readonly Opinion[])] | null {
  const first = answers.find(({ value }) => value.block !== null);
  if (first === undefined) return null;
  const opinionOf = ({ endpoint, value }: Answer): Opinion => ({ endpoint, value: value.inner });
  return [opinionOf(first), ...answers.filter((one) => one !== first).map(opinionOf)];
}

/** Calls `onNoBlock` where it is the block that it cannot tell. */
async function tell(
  endpoint: Endpoint,
  question: BlockQuestion,
  before: readonly Told[],
  onNoBlock: () => void,
): Promise<Told> {
  const { number, currencies, traceMethod } = question;
  const tookMs = endpoint.startTiming();
  const time = endpoint.startReading();
  const { native } = watchedOf(currencies);
  const known = before.find(({ block, isSlow }) => block !== null && !isSlow)?.block ?? null;
  const block = known ?? (await readOwn(endpoint, time, question, onNoBlock));
  if (known === null) expectSame(block, before);
  else await expectBlock(endpoint, known.header);
  const traced = readInnerMovements(endpoint, time, traceMethod, block, native);
  const inner = await traced
    .catch((error: unknown) => lieUnlessForked(error, endpoint, block))
    .catch(namingOldState(number, (what) => endpoint.traces.noteNothing(what)));
  return { block: known === null ? block : null, inner, isSlow: endpoint.isLong('a block', tookMs()) };
}

/** What does not fit a block that a fork took meanwhile is no lie: parts of it are asked for by ids and numbers. */
async function lieUnlessForked(
  error: unknown,
  endpoint: Endpoint,
  { header }: ExecutedBlock,
): Promise<never> {
  if (error instanceof LyingNode)
    await expectBlock(endpoint, header).catch((other: unknown) => {
      if (other instanceof AnotherBlock) throw other;
    });
  throw error;
}

async function readOwn(
  endpoint: Endpoint,
  time: ReadingTime,
  { number, currencies, trust }: BlockQuestion,
  onNoBlock: () => void,
): Promise<ExecutedBlock> {
  const watched = watchedOf(currencies);
  try {
    return await endpoint.read(time, async (reading) =>
      executedBlock(await readProvenBlock(endpoint, reading, number, trust), watched),
    );
  } catch (error) {
    onNoBlock();
    throw error;
  }
}

/** Throws AnotherBlock where a slow one told another, as then they have nothing to agree on. */
function expectSame({ header }: ExecutedBlock, before: readonly Told[]): void {
  const other = before.find(({ block }) => block !== null && block.header.hash !== header.hash)?.block;
  if (other) throw new AnotherBlock(other.header, header.hash);
}
