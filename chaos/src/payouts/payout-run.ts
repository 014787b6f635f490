// A run of payouts: load, one kill after the other with proof that payouts go on, rest, and the reader's comparison.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { chanceOf } from '../chance.ts';
import { lastWordsOf } from '../processes/role-process.ts';
import { makeRetriesDue } from '../quiet.ts';
import { checkDeliveries } from '../reader/checks/check-deliveries.ts';
import type { Finding } from '../reader/finding.ts';
import { Records } from '../records.ts';
import type { RunOptions, RunResult } from '../run.ts';
import { longestPause } from '../load/load.ts';
import { comparePayouts } from './compare-payouts.ts';
import { readBrokenPayoutLaws, readObstacles, readPayoutBooks, readUnderway } from './payout-books.ts';
import { payoutFaults, plannedPayoutFaults, untilRandomMoment } from './payout-faults.ts';
import { type PayoutLoad, startPayoutLoad } from './payout-load.ts';
import { openPayoutStage, type PayoutStage } from './payout-stage.ts';
import { runRaces } from './races.ts';
import { readSigningLog } from './signing-log.ts';

const ducat = fileURLToPath(import.meta.resolve('ducat/main'));
const WITHIN_MS = 180_000;
/** Tron takes 19 blocks for each of the steps of a collection, and then for the payout that waited for it. */
const STANDSTILL_MS = 300_000;

interface PayoutRunOptions extends RunOptions {
  readonly cycles: number;
  /** Only these faults, where it is not all of them. */
  readonly only?: readonly string[];
}

/** Runs it all and cleans up. Throws only where the run itself is broken. */
export async function runPayouts(options: PayoutRunOptions): Promise<RunResult> {
  const chance = chanceOf(options.seed);
  const findings: Finding[] = [];
  const records = new Records();
  const wrong = (what: string) => void findings.push({ fault: 'wrong', what });
  const startedMs = performance.now();
  const stage = await openPayoutStage(chance.split('stage'), {
    onLog: ({ level, msg, err }) =>
      level === 'error' &&
      records.note(`error in a log: ${String(msg)} ${JSON.stringify(err?.message ?? '')}`.slice(0, 110)),
    onCollapse: wrong,
  });
  options.report('everything runs');
  let counts: Readonly<Record<string, number>> = {};
  try {
    await untilRead(stage);
    const load = startPayoutLoad(stage, chance.split('load'), wrong);
    try {
      load.asked.push(...(await runRaces(stage, chance.split('races'), wrong)));
      options.report('the races are run');
      await untilPaid(stage, load, startedMs);
      for (const [place, name] of plannedPayoutFaults(
        options.cycles,
        chance.split('faults'),
        options.only,
      ).entries()) {
        if (options.signal.aborted || performance.now() - startedMs > options.maxMinutes * 60_000) break;
        await cycle(
          { stage, load, records },
          name,
          () => untilRandomMoment(chance),
          (seconds) =>
            options.report(`${String(place + 1).padStart(4)}  ${seconds.toFixed(1).padStart(5)} s  ${name}`),
        );
      }
      const restMs = performance.now();
      await load.stop();
      await comeToStandstill(stage);
      records.took('everything at rest behind the last cycle', performance.now() - restMs);
    } finally {
      await load.stop();
    }
    counts = await compareAll(stage, load, findings);
  } catch (error) {
    // A run that stands still is as bad as a loss, and is reported in the same way.
    wrong(error instanceof Error ? error.message : String(error));
  } finally {
    await stage.stop();
  }
  const { faults, timings, notes } = records;
  const seconds = (performance.now() - startedMs) / 1000;
  return { findings, faults, timings, notes, counts, chains: [], seconds, asks: 'payout' };
}

interface Cycling {
  readonly stage: PayoutStage;
  readonly load: PayoutLoad;
  readonly records: Records;
}

async function cycle(
  { stage, load, records }: Cycling,
  name: string,
  moment: () => Promise<void>,
  report: (seconds: number) => void,
): Promise<void> {
  const fault = payoutFaults[name];
  if (fault === undefined) throw new Error(`there is no fault named ${name}`);
  await moment();
  const beganMs = performance.now();
  const { end } = records.begin();
  try {
    await fault(stage);
    await untilPaid(stage, load, beganMs);
  } catch (error) {
    throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
  const nowMs = performance.now();
  end(
    name,
    nowMs - beganMs,
    longestPause(
      load.answered.map(({ atMs }) => atMs),
      beganMs,
      nowMs,
    ),
  );
  report((nowMs - beganMs) / 1000);
  const broken = await readBrokenPayoutLaws((sql, values) => stage.database.query(sql, values));
  if (broken.length > 0) throw new Error(`after ${name}: ${broken.join('; ')}`);
}

/** Waits until each chain has a final block in the books, because no order is accepted on a chain without one. */
async function untilRead({ chains, database }: PayoutStage): Promise<void> {
  const isRead = async () => {
    const read = await database.query('select chain from chain_cursors where final_number is not null');
    return read.length === chains.length;
  };
  await waitUntil('every chain to be read', isRead, { timeoutMs: WITHIN_MS, everyMs: 100 });
}

/** Waits until a payout that was acknowledged after `sinceMs` has been paid. */
async function untilPaid(stage: PayoutStage, { answered }: PayoutLoad, sinceMs: number): Promise<void> {
  const isPaid = async () => {
    const since = answered.filter(({ atMs }) => atMs >= sinceMs).map(({ tradeNo }) => tradeNo);
    if (since.length === 0) return false;
    const paid = await stage.database
      .query<{ count: string }>("select count(*) from payouts where status = 'PAID' and trade_no = any($1)", [
        since,
      ])
      .catch(() => []);
    return Number(paid[0]?.count ?? 0) > 0;
  };
  await orObstacles(stage, () =>
    waitUntil('a payout made since to be paid', isPaid, { timeoutMs: WITHIN_MS, everyMs: 100 }),
  );
}

/**
 * In a run of more than half an hour the first orders expire, at any moment. Their webhooks could come between two readings
 * of the comparison. So the process that expires orders and sends webhooks is killed while nothing is on its way.
 */
async function comeToStandstill(stage: PayoutStage): Promise<void> {
  const ends = stage.roles.find(({ role }) => role === 'api');
  for (;;) {
    await comeToRest(stage);
    await ends?.kill();
    if ((await readUnderway((sql, values) => stage.database.query(sql, values))).length === 0) return;
    await ends?.start();
  }
}

async function comeToRest(stage: PayoutStage): Promise<void> {
  for (const receiver of stage.receivers) receiver.behave();
  const look = async () => {
    await makeRetriesDue(stage);
    return (await readUnderway((sql, values) => stage.database.query(sql, values))).join(', ');
  };
  let underway = await look();
  // A slow machine has much left to do when the kills end, so time counts only from the last change.
  const untilItMoves = (from: string) =>
    waitUntil('what is under way to move on', async () => (underway = await look()) !== from, {
      timeoutMs: STANDSTILL_MS,
      everyMs: 500,
    });
  await orObstacles(stage, async () => {
    while (underway !== '') await untilItMoves(underway);
  });
}

/** Where `work` throws, adds to the error what is still under way, and what may hold it up. */
async function orObstacles(stage: PayoutStage, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (cause) {
    const ask = <Row extends object>(sql: string, values?: readonly unknown[]) =>
      stage.database.query<Row>(sql, values);
    const said = [...(await readUnderway(ask)), ...(await readObstacles(ask)), lastWordsOf(stage.roles)];
    throw new Error([String(cause), ...said].join('\n'), { cause });
  }
}

async function compareAll(
  stage: PayoutStage,
  { asked, counts, answered }: PayoutLoad,
  findings: Finding[],
): Promise<Readonly<Record<string, number>>> {
  const { code, output } = await runDucat('reconcile', '--config', stage.configFile);
  if (code !== 0) findings.push({ fault: 'wrong', what: `ducat reconcile ended with ${code}:\n${output}` });
  const books = await readPayoutBooks((sql, values) => stage.database.query(sql, values));
  const ours = new Set(books.addresses);
  const sents = [];
  for (const chain of stage.chains) sents.push(await chain.readSent(ours));
  const sent = {
    transactions: sents.flatMap(({ transactions }) => transactions),
    transfers: sents.flatMap(({ transfers }) => transfers),
  };
  const log = readSigningLog(stage.signer.paths.signingLog);
  const events = books.events.filter(({ type }) => type === 'TRANSFER');
  const { payouts } = books;
  findings.push(
    ...log.findings,
    ...comparePayouts({ asked, payouts, events, sent, ours, signed: log.signed }),
  );
  const deliveries = stage.receivers.flatMap((receiver, shop) =>
    receiver.deliveries.map((delivery) => ({ ...delivery, appId: stage.apps[shop]?.appId ?? '' })),
  );
  findings.push(...checkDeliveries(books, deliveries));
  const paid = payouts.filter(({ status }) => status === 'PAID');
  if (paid.length === 0) findings.push({ fault: 'wrong', what: 'nothing was paid out' });
  const failed = payouts.filter(({ status }) => status === 'FAIL').length;
  return {
    'payouts acknowledged': answered.length,
    'payouts in the books': payouts.length,
    ...Object.fromEntries(
      stage.chains.map(({ name }) => [
        `payouts paid on ${name}`,
        paid.filter(({ chain }) => chain === name).length,
      ]),
    ),
    'payouts failed, with proof': failed,
    'payouts refused for want of balance': counts.refused,
    'payouts asked for once more under their key': counts.repeated,
    'orders paid in': counts.orders,
    ...Object.fromEntries(
      books.collections.map(({ method, state, count }) => [
        `collections, ${method}: ${state}`,
        Number(count),
      ]),
    ),
    'transactions of ours on the chains': sent.transactions.length,
    'variants that offered more or were built anew': books.variants,
    'forks of the chains': stage.chains.reduce((sum, { forks }) => sum + forks, 0),
    'transactions gone with forks, for a while': stage.chains.reduce((sum, { dropped }) => sum + dropped, 0),
    "entries of the signer's log, each bound to those before": log.entries,
    'refusals in it': log.refused,
    'webhooks received': deliveries.length,
  };
}

function runDucat(
  ...args: readonly string[]
): Promise<{ readonly code: number | null; readonly output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [ducat, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (piece: Buffer) => {
        output += piece.toString('utf8');
      });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}
