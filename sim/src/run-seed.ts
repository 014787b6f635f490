// Runs one seed from an empty database to the verdict.
import type { Database } from '@ducat/gateway/store/tx';
import { type Evidence, judge, type KnownOrder, referenceOf, type SeenTransfer } from './auditor.ts';
import { readAccounts, readAddresses, readMoney, readOutbox, readPostings } from './books.ts';
import { simAddress } from './cast.ts';
import { checkDeliveries } from './checkers/deliveries.ts';
import { checkBooks, checkEvents, checkOrders } from './checkers/verdict.ts';
import type { Finding } from './findings.ts';
import { quietTime } from './quiet.ts';
import type { Sabotage } from './sabotage.ts';
import type { SimDatabase } from './sim-database.ts';
import { Simulation } from './simulation.ts';
import { storm } from './storm.ts';
import { Trace } from './trace.ts';

export interface RunOptions {
  readonly seed: number;
  readonly sabotage?: Sabotage;
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
  readonly forks: number;
  readonly kills: number;
}

export async function runSeed(place: SimDatabase, options: RunOptions): Promise<RunResult> {
  const { seed, sabotage = { bug: 'none' }, keepTrace = false } = options;
  await place.empty();
  await place.change(sabotage.prepare ?? []);
  const trace = new Trace(keepTrace);
  const sim = new Simulation({ seed, real: place.database, trace, sabotage });
  try {
    await setScene(sim);
    await storm(sim);
    // A finding of the storm is told as it was found; what follows from it would only hide it.
    if (sim.findings.list.length === 0) await quietTime(sim);
    const counts = await verdict(sim);
    const { steps, story, lines } = trace;
    const { list } = sim.findings;
    return { seed, findings: list, traceHash: trace.digest(), steps, story, traceLines: lines, counts };
  } finally {
    await sim.company.stop();
    await place.empty();
    await place.change(sabotage.repair ?? []);
  }
}

/** Merchants, apps and public keys, as an operator makes them before the first request. */
async function setScene({ cast, real }: Simulation): Promise<void> {
  await real.transact(async (tx) => {
    for (const [place, app] of cast.apps.entries()) {
      const merchantId = `mer_${place + 1}`;
      await tx.write('INSERT INTO merchants VALUES ($1, $2, $3, 0)', [merchantId, 'Shop', app.feePpm]);
      await tx.write(
        `INSERT INTO apps (app_id, merchant_id, name, kind, account, callback_url, tolerance_ppm, sealed_key, created_at_ms)
         VALUES ($1, $2, 'Shop', 'PAYMENT', $3, $4, $5, '\\x00', 0)`,
        [app.appId, merchantId, place + 1, app.callbackUrl, app.tolerancePpm],
      );
      await tx.write('INSERT INTO account_keys VALUES ($1, $2, $3)', [
        app.appId,
        'evm',
        app.accountPublicKey,
      ]);
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
    forks: trace.story.filter((line) => line.includes(' forks ')).length,
    kills: trace.story.filter((line) => line.includes(' is killed')).length,
  };
}

async function gatherEvidence(sim: Simulation, { reader }: Database): Promise<Evidence> {
  const addresses = await readAddresses(reader);
  const keys = new Map(sim.cast.apps.map(({ appId, accountPublicKey }) => [appId, accountPublicKey]));
  for (const { address, app_id: appId, derivation_index: index } of addresses) {
    const derived = simAddress(keys.get(appId) ?? '', index);
    const message = `${address} is not at ${index} below the key of ${appId}`;
    sim.findings.expect(address === derived, '24 addresses come from keys', message);
  }
  const { transfers: rows } = await readMoney(reader);
  const counted = rows.filter(({ disposition }) => disposition !== null && disposition !== 'unassigned');
  return {
    transfers: (await Promise.all(sim.chains.map((chain) => transfersOf(chain)))).flat(),
    orders: sim.told.map(knownOrder),
    owners: new Map(addresses.map(({ address, app_id: appId }) => [address, appId])),
    feesPpm: new Map(sim.cast.apps.map(({ appId, feePpm }) => [appId, BigInt(feePpm)])),
    finalTimes: new Map(sim.chains.map((chain) => [chain.definition.name, chain.time])),
    countedEarly: new Set(
      counted.map(({ chain, tx_id: txId, position }) => referenceOf({ chain, txId, position })),
    ),
  };
}

/** Every movement of a watched currency in the blocks that stand. */
async function transfersOf(chain: Simulation['chains'][number]): Promise<readonly SeenTransfer[]> {
  const { definition, fake, height } = chain;
  const seen: SeenTransfer[] = [];
  for (let number = 0; number <= height; number++) {
    const block = await fake.port.readBlock(number, definition.currencies);
    for (const { txId, position, to, amount } of block?.transfers ?? []) {
      seen.push({
        chain: definition.name,
        txId,
        position,
        to,
        currencyId: amount.currencyId,
        units: amount.units,
        blockTime: block?.header.time ?? 0,
        minedAtStep: chain.minedAtStep(number),
      });
    }
  }
  return seen;
}

function knownOrder({
  wish,
  tradeNo,
  address,
  createTime,
  timeExpire,
  toldAtStep,
}: Simulation['told'][number]): KnownOrder {
  const { app, chain, currency, outTradeNo, units } = wish;
  return {
    tradeNo,
    address,
    createTime,
    timeExpire,
    toldAtStep,
    outTradeNo,
    appId: app.appId,
    chain: chain.definition.name,
    chainId: chain.definition.chainId,
    currencyId: currency.currencyId,
    decimals: currency.decimals,
    due: units,
    tolerancePpm: BigInt(app.tolerancePpm),
  };
}
