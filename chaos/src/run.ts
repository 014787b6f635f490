// A whole run: load, one fault after the other with proof that everything goes on, rest, and the reader's judgement.
import { type Chance, chanceOf } from './chance.ts';
import { faults, type Hand } from './faults.ts';
import { type Load, startLoad } from './load.ts';
import { untilProgress } from './progress.ts';
import { comeToRest } from './quiet.ts';
import { FEE_PPM } from './apps.ts';
import { audit, type ChainCounts } from './reader/audit.ts';
import type { Finding, Promised } from './reader/compare.ts';
import { readBrokenLaws } from './reader/books.ts';
import type { RoleProcess } from './role-process.ts';
import { openStage, type Stage } from './stage.ts';

export interface RunOptions {
  readonly seed: number;
  readonly cycles: number;
  readonly failovers: number;
  /** The run ends its cycles early after so long. */
  readonly maxMinutes: number;
  /** Only these faults, where it is not all of them. */
  readonly only?: readonly string[];
  /** Told of each cycle. */
  readonly tell: (line: string) => void;
  readonly signal: AbortSignal;
}

/** How often a fault was done, and how long it took until everything went on. */
export interface FaultRecord {
  times: number;
  totalMs: number;
  longestMs: number;
}

export interface RunResult {
  readonly findings: readonly Finding[];
  readonly faults: ReadonlyMap<string, FaultRecord>;
  readonly notes: ReadonlyMap<string, number>;
  readonly counts: Readonly<Record<string, number>>;
  readonly chains: readonly ChainRecord[];
  readonly seconds: number;
}

/** What became of one chain, and what its forks did. */
export interface ChainRecord extends ChainCounts {
  readonly forks: number;
  readonly dropped: number;
}

const FAIL_OVER = 'kill -9 of the primary, standby promoted';

/** Runs it all and cleans up. Throws only where the run itself is broken. */
export async function run(options: RunOptions): Promise<RunResult> {
  const chance = chanceOf(options.seed);
  const findings: Finding[] = [];
  const notes = new Map<string, number>();
  const note = (what: string, times = 1) => void notes.set(what, (notes.get(what) ?? 0) + times);
  const wrong = (what: string) => void findings.push({ fault: 'wrong', what });
  const startedMs = performance.now();
  const stage = await openStage(chance.split('stage'), {
    onLog: ({ level, msg }) => level === 50 && note(`error in a log: ${String(msg)}`),
    onCollapse: wrong,
  });
  options.tell('everything runs');
  const records = new Map<string, FaultRecord>();
  let counts: Readonly<Record<string, number>> = {};
  let chains: readonly ChainRecord[] = [];
  try {
    const load = startLoad(stage, chance.split('load'), wrong);
    try {
      await untilProgress(stage, load);
      await cycle(options, chance.split('faults'), { stage, load, records, note, findings });
      await comeToRest(stage, load);
    } finally {
      load.abandon();
      await load.stop();
    }
    const report = await judge(stage, load);
    findings.push(...report.findings);
    counts = { ...report.counts, ...loadCounts(load) };
    chains = report.chains.map((chain) => ({ ...chain, ...forksOf(stage, chain.name) }));
  } catch (error) {
    // What stands still is as bad as what is lost, and is told in the same way.
    wrong(error instanceof Error ? error.message : String(error));
  } finally {
    await stage.stop();
  }
  const seconds = (performance.now() - startedMs) / 1000;
  return { findings, faults: records, notes, counts, chains, seconds };
}

interface Cycling {
  readonly stage: Stage;
  readonly load: Load;
  readonly records: Map<string, FaultRecord>;
  readonly note: Hand['note'];
  readonly findings: Finding[];
}

async function cycle(options: RunOptions, chance: Chance, cycling: Cycling): Promise<void> {
  const untilMs = performance.now() + options.maxMinutes * 60_000;
  const freezer = openFreezer();
  await cycleUntil(untilMs, options, chance, cycling, freezer);
  // Else the last ones would not have been frozen for as long as the table says.
  await freezer.allThawed();
}

async function cycleUntil(
  untilMs: number,
  options: RunOptions,
  chance: Chance,
  { stage, load, records, note, findings }: Cycling,
  freezer: ReturnType<typeof openFreezer>,
): Promise<void> {
  let known = 0;
  for (const [place, name] of planned(options, chance).entries()) {
    if (options.signal.aborted || performance.now() > untilMs) return note('cycles left out', 1);
    const beganMs = performance.now();
    const fault = name === FAIL_OVER ? failOver : faults[name];
    if (fault === undefined) throw new Error(`there is no fault named ${name}`);
    try {
      await fault({ stage, chance, note, thawLater: freezer.later });
      await untilProgress(stage, load);
    } catch (error) {
      throw new Error(
        `${name}: ${error instanceof Error ? error.message : String(error)}\n${lastWords(stage)}`,
      );
    }
    const tookMs = performance.now() - beganMs;
    const record = records.get(name) ?? { times: 0, totalMs: 0, longestMs: 0 };
    const longestMs = Math.max(record.longestMs, tookMs);
    records.set(name, { times: record.times + 1, totalMs: record.totalMs + tookMs, longestMs });
    options.tell(`${String(place + 1).padStart(4)}  ${(tookMs / 1000).toFixed(1).padStart(5)} s  ${name}`);
    const promised = load.acknowledged.slice(known).map(({ tradeNo }) => tradeNo);
    const broken = await readBrokenLaws((sql, values) => stage.database.query(sql, values), promised);
    known += promised.length;
    for (const what of broken) findings.push({ fault: 'wrong', what: `after ${name}: ${what}` });
    if (broken.length > 0) return;
  }
}

/** Half of the primaries die while their standby lags behind. */
async function failOver({ stage, chance, note }: Hand): Promise<void> {
  const lag = chance.happens(0.5);
  await stage.database.failOver(lag);
  if (lag) note('failovers with COMMITs on their way');
}

/** What the processes wrote last, for whoever has to find out why nothing goes on. */
function lastWords({ roles }: Stage): string {
  return roles
    .map((role) => `--- ${role.name}${role.isFrozen ? ' (frozen)' : ''}\n${role.lastWords(3)}`)
    .join('\n');
}

/** Every fault comes once before any comes again, in an order that the seed draws; failovers lie evenly between. */
function planned({ cycles, failovers, only }: RunOptions, chance: Chance): readonly string[] {
  const names = Object.keys(faults).filter((name) => only === undefined || only.includes(name));
  const plan: string[] = [];
  while (plan.length < cycles && names.length > 0) {
    const deck = [...names];
    while (deck.length > 0 && plan.length < cycles) plan.push(...deck.splice(chance.int(deck.length), 1));
  }
  for (let number = 0; number < failovers; number += 1) {
    plan.splice(Math.floor(((number + 1) * (cycles + failovers)) / (failovers + 1)), 0, FAIL_OVER);
  }
  return plan;
}

/** Frozen processes that go on later, whatever the cycles wait for meanwhile. */
function openFreezer() {
  const thaws: Promise<void>[] = [];
  return {
    later: (role: RoleProcess, afterMs: number) => {
      const due = new Promise((resolve) => setTimeout(resolve, afterMs));
      thaws.push(due.then(() => role.thaw()));
    },
    allThawed: () => Promise.all(thaws),
  };
}

function judge(stage: Stage, load: Load): ReturnType<typeof audit> {
  const promised: Promised[] = load.acknowledged.map(({ coin, ...order }) => ({
    ...order,
    currencyId: coin.currencyId,
  }));
  return audit({
    ask: (sql, values) => stage.database.query(sql, values),
    chains: stage.chains,
    feePpm: FEE_PPM,
    promised,
    deliveries: stage.receivers.flatMap(({ deliveries }) => deliveries),
  });
}

function loadCounts({ counts, payers }: Load): Readonly<Record<string, number>> {
  return {
    'questions without an answer, asked again': counts.unknown,
    'answers without a signature, asked again': counts.unsigned,
    'orders asked for once more': counts.repeated,
    'payments sent': payers.sent(),
  };
}

function forksOf({ chains }: Stage, name: string): Pick<ChainRecord, 'forks' | 'dropped'> {
  const { forks = 0, dropped = 0 } = chains.find((chain) => chain.name === name) ?? {};
  return { forks, dropped };
}
