// Runs one seed from an empty database to the verdict.
import type { Database } from '@ducat/gateway/store/tx';
import { dueOf, type Evidence, judge, type KnownOrder, referenceOf, type SeenTransfer } from './auditor.ts';
import { readAccounts, readAddresses, readMoney, readOutbox, readPostings } from './books.ts';
import { priceUnitsOf, simAddress } from './cast.ts';
import { checkDeliveries } from './checkers/deliveries.ts';
import { checkBooks, checkEvents, checkOrders } from './checkers/verdict.ts';
import type { Finding } from './findings.ts';
import { quietTime } from './quiet.ts';
import type { SimDatabase } from './sim-database.ts';
import { type Script, Simulation } from './simulation.ts';
import { storm } from './storm.ts';
import { Trace } from './trace.ts';

export interface RunOptions {
  readonly seed: number;
  /** What stands instead of what the seed would draw. */
  readonly script?: Script;
  /** Called when the scene is set and before anything runs. */
  readonly onStart?: (sim: Simulation) => void;
  /** Keeps every line of the trace, not only its hash. */
  readonly keepTrace?: boolean;
}

export interface RunResult {
  readonly seed: number;
  readonly findings: readonly Finding[];
  /** Of every step, every word of the story, and the books at the end. */
  readonly traceHash: string;
  readonly steps: number;
  readonly story: readonly string[];
  readonly traceLines: readonly string[];
  readonly counts: RunCounts;
}

/** What a run consisted of, to see that it was worth something. */
export interface RunCounts {
  readonly orders: number;
  readonly transfers: number;
  readonly events: number;
  readonly attempts: number;
  /** How often the product compared all of its books with the chains. */
  readonly bookChecks: number;
  /** Steps that processes took; the others are the world's. */
  readonly processSteps: number;
  readonly lies: number;
  readonly forks: number;
  readonly kills: number;
  /** Whatever went wrong on purpose, lies, forks and kills included. */
  readonly faults: number;
}

export async function runSeed(place: SimDatabase, options: RunOptions): Promise<RunResult> {
  const { seed, script, keepTrace = false } = options;
  await place.empty();
  const trace = new Trace(keepTrace);
  const parts = { seed, real: place.database, trace };
  const sim = new Simulation(script === undefined ? parts : { ...parts, script });
  try {
    await setScene(sim);
    options.onStart?.(sim);
    if (script === undefined) await storm(sim);
    // A finding of the storm is told as it was found; what follows from it would only hide it.
    if (sim.findings.list.length === 0) await quietTime(sim);
    const counts = await verdict(sim);
    const { steps, story, lines } = trace;
    const { list } = sim.findings;
    return { seed, findings: list, traceHash: trace.digest(), steps, story, traceLines: lines, counts };
  } finally {
    await sim.company.stop();
  }
}

/** Merchants, apps and public keys, as an operator makes them before the first request. */
async function setScene({ cast, real }: Simulation): Promise<void> {
  const chainFamilies = new Set(cast.chains.map(({ definition }) => definition.family));
  await real.transact(async (tx) => {
    for (const [place, app] of cast.apps.entries()) {
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
  });
}

/** The naive model against the books; counts what the run consisted of. */
async function verdict(sim: Simulation): Promise<RunCounts> {
  const { real, findings, trace } = sim;
  const { reader } = real;
  const money = await readMoney(reader);
  const { events, attempts } = await readOutbox(reader);
  const postings = await readPostings(reader);
  if (findings.list.length === 0) {
    const judged = judge(await gatherEvidence(sim, real));
    checkOrders(judged, money, findings);
    checkEvents(judged, events, findings);
    checkBooks(judged, postings, await readAccounts(reader), findings);
    checkDeliveries(sim.merchants.received, events, sim.cast.apps, findings);
  }
  trace.step(sim.scheduler.nowMs, JSON.stringify([money, events, attempts, postings]));
  return {
    orders: money.orders.length,
    transfers: money.transfers.length,
    events: events.length,
    attempts: attempts.length,
    bookChecks: sim.reconciliation.checks,
    processSteps: sim.processSteps,
    lies: sim.providers.liesTold,
    forks: trace.story.filter((line) => line.includes(' forks ')).length,
    faults: sim.faults,
    kills: trace.story.filter((line) => line.includes(' is killed')).length,
  };
}

async function gatherEvidence(sim: Simulation, { reader }: Database): Promise<Evidence> {
  const addresses = await readAddresses(reader);
  const keys = new Map(sim.cast.apps.map(({ appId, accountPublicKey }) => [appId, accountPublicKey]));
  for (const { address, family, app_id: appId, derivation_index: index } of addresses) {
    const derived = simAddress(family, keys.get(appId) ?? '', index);
    const message = `${address} is not at ${index} below the key of ${appId}`;
    sim.findings.expect(address === derived, '24 addresses come from keys', message);
  }
  const { transfers: rows } = await readMoney(reader);
  const counted = rows.filter(({ disposition }) => disposition !== null && disposition !== 'unassigned');
  return {
    transfers: sim.chains.flatMap(transfersOf),
    orders: sim.told.map(knownOrder),
    owners: new Map(addresses.map(({ address, family, app_id: appId }) => [`${family} ${address}`, appId])),
    feesPpm: new Map(sim.cast.apps.map(({ appId, feePpm }) => [appId, BigInt(feePpm)])),
    finalTimes: new Map(sim.chains.map((chain) => [chain.definition.name, chain.time])),
    countedEarly: new Set(
      counted.map(({ chain, tx_id: txId, position }) => referenceOf({ chain, txId, position })),
    ),
  };
}

/** Every movement of a watched currency in the blocks that stand. */
function transfersOf(chain: Simulation['chains'][number]): readonly SeenTransfer[] {
  const { name, family, currencies } = chain.definition;
  const watched = new Set(currencies.map(({ currencyId }) => currencyId));
  return chain.blocks().flatMap(({ header, transfers, step }) =>
    transfers
      .filter(({ currencyId }) => watched.has(currencyId))
      .map(({ txId, position, to, currencyId, units }) => ({
        chain: name,
        family,
        txId,
        position,
        to,
        currencyId,
        units,
        blockTime: header.time,
        minedAtStep: step,
      })),
  );
}

function knownOrder({
  wish,
  tradeNo,
  address,
  createTime,
  timeExpire,
  toldAtStep,
  units,
}: Simulation['told'][number]): KnownOrder {
  const { app, chain, currency, outTradeNo, tokenAmount, fiatAmount } = wish;
  return {
    tradeNo,
    address,
    createTime,
    timeExpire,
    toldAtStep,
    outTradeNo,
    appId: app.appId,
    chain: chain.definition.name,
    chainId: chain.definition.series === 'ETH' ? chain.definition.chainId : 0,
    currencyId: currency.currencyId,
    decimals: currency.decimals,
    due: dueOf({ tokenAmount, fiatAmount, priceUnits: priceUnitsOf(currency.symbol), ...currency }),
    toldDue: units,
    fiatAmount: fiatAmount ?? '',
    tolerancePpm: BigInt(app.tolerancePpm),
  };
}
