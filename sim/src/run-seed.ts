// Runs one seed from an empty database to the verdict.
import { verdictOf } from './auditor.ts';
import { readAccounts, readAddresses, readMoney, readOutbox, readPostings } from './checkers/books.ts';
import { checkDeliveries, type Destination } from './checkers/deliveries.ts';
import { checkDetails, checkLastDetails } from './checkers/detail.ts';
import { type OutgoingRows, readOutgoing } from './outgoing/payout-books.ts';
import { checkEnergyIsBack } from './outgoing/energy-checker.ts';
import { openWallets } from './outgoing/payout-scene.ts';
import { ARRIVALS, checkPayouts } from './outgoing/payout-verdict.ts';
import { checkBooks, checkEvents, checkOrders, checkSums, checkTerms } from './checkers/verdict.ts';
import { gatherEvidence } from './checkers/evidence.ts';
import type { Finding } from './checkers/findings.ts';
import { inquireAtEnd } from './actors/inquiries.ts';
import { quietTime } from './quiet.ts';
import type { SimDatabase } from './database/sim-database.ts';
import { type Script, Simulation } from './simulation.ts';
import { faultPhase } from './fault-phase.ts';
import { Trace } from './world/trace.ts';

export interface RunOptions {
  readonly seed: number;
  /** Replaces what the seed would draw. */
  readonly script?: Script;
  /** Whether the run has payouts. */
  readonly withPayouts?: boolean;
  /** Called when the scene is set, before anything runs. */
  readonly onStart?: (sim: Simulation) => void;
  /** Keeps every line of the trace, not only its hash. */
  readonly keepTrace?: boolean;
}

export interface RunResult {
  readonly seed: number;
  readonly findings: readonly Finding[];
  /** The hash of every step, every word of the story, and the books at the end. */
  readonly traceHash: string;
  readonly steps: number;
  readonly story: readonly string[];
  readonly traceLines: readonly string[];
  readonly counts: RunCounts;
}

/** What a run consisted of, to show that the run was worth something. */
export interface RunCounts {
  readonly orders: number;
  readonly transfers: number;
  readonly payouts: number;
  /** How many of these payouts were PAID. */
  readonly paid: number;
  /** Signed transactions of payouts, collections and fundings, each variant counted. */
  readonly sent: number;
  readonly events: number;
  readonly attempts: number;
  /** How often the product compared all of its books with the chains. */
  readonly bookChecks: number;
  /** Steps that processes took; the others are the world's. */
  readonly processSteps: number;
  /** In a scenario, the number of steps at which a process can be killed. */
  readonly crashPoints: number;
  readonly lies: number;
  readonly forks: number;
  readonly kills: number;
  /** All faults that were injected, lies, forks and kills included. */
  readonly faults: number;
}

export async function runSeed(place: SimDatabase, options: RunOptions): Promise<RunResult> {
  const { seed, script, withPayouts = false, keepTrace = false } = options;
  await place.empty();
  const trace = new Trace(keepTrace);
  const parts = { seed, real: place.database, trace, withPayouts };
  const sim = new Simulation(script === undefined ? parts : { ...parts, script });
  try {
    await setScene(sim);
    options.onStart?.(sim);
    if (script === undefined) await faultPhase(sim);
    // A finding of the fault phase is reported at once, because later findings would only hide it.
    if (sim.findings.list.length === 0) await quietTime(sim);
    if (sim.findings.list.length === 0) await inquireAtEnd(sim);
    const counts = await verdict(sim);
    const { steps, story, lines } = trace;
    const { list } = sim.findings;
    return { seed, findings: list, traceHash: trace.digest(), steps, story, traceLines: lines, counts };
  } finally {
    await sim.processes.stop();
    sim.outgoing?.signer.remove();
  }
}

/** Merchants, apps and public keys, as an operator makes them before the first request. */
async function setScene({ setup, chains, real, outgoing }: Simulation): Promise<void> {
  const chainFamilies = new Set(setup.chains.map(({ definition }) => definition.family));
  await real.transact(async (tx) => {
    for (const [place, app] of setup.apps.entries()) {
      const merchantId = `mer_${place + 1}`;
      await tx.write('INSERT INTO merchants VALUES ($1, $2, $3, 0)', [merchantId, 'Shop', app.feePpm]);
      await tx.write(
        `INSERT INTO apps (app_id, merchant_id, name, kind, account, callback_url, tolerance_ppm, sealed_key, created_at_ms)
         VALUES ($1, $2, 'Shop', 'PAYMENT', $3, $4, $5, '\\x00', 0)`,
        [app.appId, merchantId, place + 1, app.callbackUrl, app.tolerancePpm],
      );
      for (const family of chainFamilies) {
        await tx.write('INSERT INTO account_keys VALUES ($1, $2, $3)', [
          app.appId,
          family,
          app.accountPublicKey,
        ]);
      }
    }
    if (outgoing !== null) await openWallets(tx, setup, chains);
  });
}

/** Compares the books with the naive model, and counts what the run consisted of. */
async function verdict(sim: Simulation): Promise<RunCounts> {
  const { real, findings, trace, outgoing } = sim;
  const { reader } = real;
  const rows = outgoing === null ? null : await readOutgoing(reader);
  const money = await readMoney(reader);
  const { events, attempts } = await readOutbox(reader);
  const postings = await readPostings(reader);
  if (findings.list.length === 0) {
    const addresses = await readAddresses(reader);
    const arrivals = postings.filter(({ fact }) => outgoing === null || ARRIVALS.has(fact));
    const evidence = gatherEvidence(sim, addresses, money.transfers, arrivals);
    const expected = verdictOf(evidence);
    checkTerms(evidence.orders, money, findings);
    checkOrders(expected, money, findings);
    checkEvents(expected, events, findings);
    checkBooks(expected, arrivals, findings);
    checkSums(postings, await readAccounts(reader), findings);
    if (outgoing !== null && rows !== null) {
      const { chains } = sim;
      const { payoutPlans, receiptRefunds, signer } = outgoing;
      checkEnergyIsBack(chains, rows.energy, findings);
      const { payouts } = rows;
      checkPayouts({ chains, payoutPlans, receiptRefunds, payouts, addresses, postings, events, findings });
      const problem = signer.logProblem();
      findings.expect(problem === null, '37 the log of the signer holds', String(problem));
    }
    checkDeliveries(sim.merchants.received, events, destinationsOf(sim, rows), findings);
    checkDetails(sim.receivedDetails, evidence, findings);
    checkLastDetails(sim.receivedDetails, evidence, findings);
  }
  trace.step(
    sim.scheduler.nowMs,
    JSON.stringify([money, events, attempts, postings, ...(rows === null ? [] : [rows])]),
  );
  return {
    orders: money.orders.length,
    transfers: money.transfers.length,
    payouts: rows?.payouts.length ?? 0,
    paid: rows?.payouts.filter(({ status }) => status === 'PAID').length ?? 0,
    sent: new Set(rows?.variants.flatMap(({ tx_id }) => tx_id ?? [])).size,
    events: events.length,
    attempts: attempts.length,
    bookChecks: sim.reconciliation.checks,
    processSteps: sim.processSteps,
    crashPoints: sim.crashPoints,
    lies: sim.providers.lieCount,
    forks: trace.story.filter((line) => line.includes(' forks ')).length,
    faults: sim.faults,
    kills: trace.story.filter((line) => line.includes(' is killed')).length,
  };
}

/** Where the webhooks of each order have to go: to the callback URL of its request, else to its app's. */
function destinationsOf(
  { answered, setup }: Simulation,
  rows: OutgoingRows | null,
): ReadonlyMap<string, Destination> {
  const payouts = (rows?.payouts ?? []).flatMap(({ trade_no, app_id }) => {
    const app = setup.apps.find(({ appId }) => appId === app_id);
    return app === undefined ? [] : [[trade_no, { app, url: app.callbackUrl }] as const];
  });
  return new Map([
    ...answered.map(
      ({ tradeNo, plan }) =>
        [tradeNo, { app: plan.app, url: plan.callbackUrl ?? plan.app.callbackUrl }] as const,
    ),
    ...payouts,
  ]);
}
