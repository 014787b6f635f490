// A whole run: load, one fault after the other with proof that everything goes on, rest, and the reader's comparison.
import { type Chance, chanceOf } from './chance.ts';
import type { Fault, Hand } from './faults/fault.ts';
import { type Load, startLoad } from './load/load.ts';
import { untilProgress } from './progress.ts';
import { comeToRest } from './quiet.ts';
import { FEE_PPM } from './apps.ts';
import { audit, type ChainCounts } from './reader/audit.ts';
import { checkPaid } from './reader/checks/check-paid.ts';
import type { Promised } from './reader/checks/check-promises.ts';
import type { Finding } from './reader/finding.ts';
import { readBrokenLaws } from './reader/books.ts';
import { type FaultRecord, Records, type Timing } from './records.ts';
import { lastWordsOf } from './processes/role-process.ts';
import type { RoleListeners, Stage } from './stage.ts';

export interface RunOptions {
  readonly seed: number;
  /** The run ends its cycles early after so long. */
  readonly maxMinutes: number;
  /** Called with a line for each cycle. */
  readonly report: (line: string) => void;
  readonly signal: AbortSignal;
}

/** What a run runs on, and what is done to it. */
export interface Scene<S extends Stage> {
  open(chance: Chance, listeners: RoleListeners): Promise<S>;
  /** The names of its faults in their order. */
  plan(chance: Chance): readonly string[];
  /** Every fault that may be planned, by its name. */
  faults(load: Load): Readonly<Record<string, Fault<S>>>;
}

export interface RunResult {
  readonly findings: readonly Finding[];
  readonly faults: ReadonlyMap<string, FaultRecord>;
  /** Everything else that was timed, by name. */
  readonly timings: ReadonlyMap<string, Timing>;
  readonly notes: ReadonlyMap<string, number>;
  readonly counts: Readonly<Record<string, number>>;
  readonly chains: readonly ChainRecord[];
  readonly seconds: number;
  /** What the load asks for. The result says how long there was none at most. */
  readonly asks: 'order' | 'payout';
}

/** What became of one chain, and what its forks did. */
export interface ChainRecord extends ChainCounts {
  readonly forks: number;
  readonly dropped: number;
}

/** Runs it all and cleans up. Throws only where the run itself is broken. */
export async function run<S extends Stage>(scene: Scene<S>, options: RunOptions): Promise<RunResult> {
  const chance = chanceOf(options.seed);
  const findings: Finding[] = [];
  const records = new Records();
  const wrong = (what: string) => void findings.push({ fault: 'wrong', what });
  const startedMs = performance.now();
  const stage = await scene.open(chance.split('stage'), {
    onLog: ({ level, msg }) => level === 'error' && records.note(`error in a log: ${String(msg)}`),
    onCollapse: wrong,
  });
  options.report('everything runs');
  let counts: Readonly<Record<string, number>> = {};
  let chains: readonly ChainRecord[] = [];
  try {
    const load = startLoad(stage, chance.split('load'), wrong);
    try {
      await untilProgress(stage, load);
      await cycle({ scene, options, chance: chance.split('faults'), stage, load, records, findings });
      const restMs = performance.now();
      await comeToRest(stage, load);
      records.took('everything at rest behind the last cycle', performance.now() - restMs);
    } finally {
      load.abandon();
      await load.stop();
    }
    const report = await auditRun(stage, load);
    findings.push(...report.findings);
    // A run that only starts and comes to rest has had no time for money.
    if (records.faults.size > 0) findings.push(...checkPaid(report.chains, load.payers.lastRefusal()));
    counts = { ...report.counts, ...loadCounts(load) };
    chains = report.chains.map((chain) => ({ ...chain, ...forksOf(stage, chain.name) }));
  } catch (error) {
    // A run that stands still is as bad as a loss, and is reported in the same way.
    wrong(error instanceof Error ? error.message : String(error));
  } finally {
    await stage.stop();
  }
  const seconds = (performance.now() - startedMs) / 1000;
  const { faults: done, timings, notes } = records;
  return { findings, faults: done, timings, notes, counts, chains, seconds, asks: 'order' };
}

interface Cycling<S extends Stage> {
  readonly scene: Scene<S>;
  readonly options: RunOptions;
  readonly chance: Chance;
  readonly stage: S;
  readonly load: Load;
  readonly records: Records;
  readonly findings: Finding[];
}

async function cycle<S extends Stage>(cycling: Cycling<S>): Promise<void> {
  const meanwhile: Promise<void>[] = [];
  await cycleUntil(performance.now() + cycling.options.maxMinutes * 60_000, cycling, (work) => {
    const wrong = (error: unknown) => void cycling.findings.push({ fault: 'wrong', what: String(error) });
    meanwhile.push(work.catch(wrong));
  });
  // Without this wait, the last processes would not have been frozen for as long as the table says.
  await Promise.all(meanwhile);
}

async function cycleUntil<S extends Stage>(
  untilMs: number,
  { scene, options, chance, stage, load, records, findings }: Cycling<S>,
  meanwhile: Hand['meanwhile'],
): Promise<void> {
  const faults = scene.faults(load);
  let known = 0;
  for (const [place, name] of scene.plan(chance).entries()) {
    if (options.signal.aborted || performance.now() > untilMs) return records.note('cycles left out', 1);
    const beganMs = performance.now();
    const fault = faults[name];
    if (fault === undefined) throw new Error(`there is no fault named ${name}`);
    const { note, took } = records;
    const { hit, end } = records.begin();
    let done = name;
    try {
      done = (await fault({ stage, chance, note, took, hit, meanwhile })) ?? name;
      await untilProgress(stage, load);
    } catch (error) {
      throw new Error(
        `${name}: ${error instanceof Error ? error.message : String(error)}\n${lastWordsOf(stage.roles)}`,
      );
    }
    const tookMs = performance.now() - beganMs;
    end(done, tookMs, load.longestPauseMs(beganMs));
    options.report(`${String(place + 1).padStart(4)}  ${(tookMs / 1000).toFixed(1).padStart(5)} s  ${done}`);
    const promised = load.acknowledged.slice(known).map(({ tradeNo }) => tradeNo);
    const broken = await readBrokenLaws((sql, values) => stage.database.query(sql, values), promised);
    known += promised.length;
    for (const what of broken) findings.push({ fault: 'wrong', what: `after ${name}: ${what}` });
    if (broken.length > 0) return;
  }
}

function auditRun(stage: Stage, load: Load): ReturnType<typeof audit> {
  const promised: Promised[] = load.acknowledged.map(({ coin, ...order }) => ({
    ...order,
    currencyId: coin.currencyId,
  }));
  return audit({
    ask: (sql, values) => stage.database.query(sql, values),
    chains: stage.chains,
    feePpm: FEE_PPM,
    asked: load.asked,
    promised,
    deliveries: stage.receivers.flatMap(({ deliveries }, shop) =>
      deliveries.map((delivery) => ({ ...delivery, appId: stage.apps[shop]?.appId ?? '' })),
    ),
  });
}

function loadCounts({ acknowledged, counts, payers, seconds }: Load): Readonly<Record<string, number>> {
  return {
    'orders acknowledged a second, on average': Number((acknowledged.length / seconds()).toFixed(1)),
    'questions without an answer, asked again': counts.unknown,
    'answers without a signature, asked again': counts.unsigned,
    'orders asked for once more': counts.repeated,
    'payments sent': payers.sent(),
    'payments that a node refused, or could not be asked for': payers.refused(),
  };
}

function forksOf({ chains }: Stage, name: string): Pick<ChainRecord, 'forks' | 'dropped'> {
  const { forks = 0, dropped = 0 } = chains.find((chain) => chain.name === name) ?? {};
  return { forks, dropped };
}
