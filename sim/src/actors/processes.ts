// The processes of a gateway: started as production starts its roles, killed, frozen, started again.
import { wireChainId } from '@ducat/core/chain/chain';
import type { ChainReader } from '@ducat/gateway/chains/port/reader';
import { CHECKS_LEASE } from '@ducat/gateway/flows/checks/checks-lease';
import { createTransferEventEncoder } from '@ducat/gateway/roles/notifier/encode-transfer-event';
import { createQrPaymentEventEncoder } from '@ducat/gateway/roles/notifier/encode-qr-payment-event';
import { createPaymentEventEncoder } from '@ducat/gateway/roles/notifier/encode-payment-event';
import { runNotifier } from '@ducat/gateway/roles/notifier/notifier';
import { defaultNotifierLimits } from '@ducat/gateway/roles/notifier/parts';
import { runReserveChecks } from '@ducat/gateway/roles/maintenance/check-reserves';
import { type Maintenance, runMaintenance } from '@ducat/gateway/roles/maintenance/maintenance';
import { amountOf } from '@ducat/core/money/amount';
import { runCollector } from '@ducat/gateway/roles/collector/collector';
import type { CollectChain } from '@ducat/gateway/roles/collector/parts';
import type { PayChain } from '@ducat/gateway/roles/payer/parts';
import { runPayer } from '@ducat/gateway/roles/payer/payer';
import type { Outgoing } from '../outgoing/outgoing.ts';
import { STAKER } from '../outgoing/chain/stake.ts';
import type { Market } from './market.ts';
import { ratesOf } from './sim-api.ts';
import { runWatcher } from '@ducat/gateway/roles/watcher/watcher';
import { createIdleChains, type IdleChains } from '@ducat/gateway/runtime/idle-chains';
import { createLeaseStore } from '@ducat/gateway/runtime/lease-store';
import { underLease } from '@ducat/gateway/runtime/under-lease';
import { createEventIds } from '@ducat/gateway/runtime/ids';
import type { Log } from '@ducat/gateway/runtime/log';
import type { World } from '@ducat/gateway/runtime/world';
import type { Setup } from './setup.ts';
import { Chance } from '../world/chance.ts';
import { describeFields } from './describe-fields.ts';
import { type DatabaseGate, GatedDatabase } from '../database/gated-database.ts';
import type { Merchants } from './merchants.ts';
import type { ChainGate } from '../nodes/chain-gate.ts';
import { readerOf } from '../nodes/reader-of.ts';
import type { SimChain } from '../nodes/sim-chain.ts';
import { type ProcessKind, SimProcess } from '../world/sim-process.ts';
import { addressSchemes } from '../nodes/sim-schemes.ts';
import { simWorld } from '../world/sim-world.ts';

/** A place that a process fills, one life after another. */
interface Place {
  readonly kind: ProcessKind;
  readonly name: string;
  readonly chain: SimChain | null;
  lives: number;
  running: ProcessParts | null;
}

export interface ProcessesParts {
  readonly seed: number;
  readonly setup: Setup;
  readonly chains: readonly SimChain[];
  readonly merchants: Merchants;
  readonly databaseGate: DatabaseGate;
  readonly chainGate: ChainGate;
  /** Null where nothing is paid out. */
  readonly outgoing: Outgoing | null;
  readonly market: Market;
  /** How wrong the clock of a new process is. */
  readonly clockErrorOf: (process: string) => number;
  readonly note: (text: string) => void;
  /** Called when a role ends by itself or meets a broken invariant. Neither may ever happen. */
  readonly onEnd: (process: string, error: unknown) => void;
}

export interface ProcessParts {
  readonly process: SimProcess;
  readonly database: GatedDatabase;
  readonly world: World;
  readonly idle: IdleChains;
}

/** Which roles run twice, and how many webhooks a notifier may have under way. */
export interface Shape {
  readonly twoWatchers: boolean;
  readonly twoNotifiers: boolean;
  readonly twoMaintainers: boolean;
  readonly webhooksUnderWay: number;
}

function place(kind: ProcessKind, name: string, chain: SimChain | null = null): Place {
  return { kind, name, chain, lives: 0, running: null };
}

/** How long a holding waits before it is collected. */
const COLLECT_WINDOW_MS = 20_000;
const POOL_SIZE = 5;
const LEASE_MS = 30_000;
/** Rounds are short, because a run lasts some minutes. The calls a minute are more than any round needs. */
const CHECKS = { roundMs: 60_000, callsPerMinute: 6_000 };

export class Processes {
  readonly #parts: ProcessesParts;
  readonly #shape: Shape;
  readonly #places: readonly Place[];

  constructor(parts: ProcessesParts, shape: Shape) {
    this.#parts = parts;
    this.#shape = shape;
    const numbers = (two: boolean): readonly number[] => (two ? [1, 2] : [1]);
    this.#places = [
      place('api', 'api'),
      ...parts.chains.flatMap((chain) =>
        numbers(shape.twoWatchers).map((number) =>
          place('watcher', `watcher-${chain.definition.name}-${number}`, chain),
        ),
      ),
      ...numbers(shape.twoMaintainers).map((number) => place('maintenance', `maintenance-${number}`)),
      place('keeper', 'keeper'),
      ...numbers(shape.twoNotifiers).map((number) => place('notifier', `notifier-${number}`)),
      ...(parts.outgoing === null ? [] : this.#outgoingPlaces(parts.outgoing, numbers)),
    ];
  }

  /** The processes of outgoing transactions: the signer, and payers and a collector for each chain. */
  #outgoingPlaces({ weather }: Outgoing, numbers: (two: boolean) => readonly number[]): readonly Place[] {
    const ofChains = this.#parts.chains.flatMap((chain) => {
      const { name } = chain.definition;
      const payers = numbers(weather.twoPayers).map((number) =>
        place('payer', `payer-${name}-${number}`, chain),
      );
      return [...payers, place('collector', `collector-${name}`, chain)];
    });
    return [place('signer', 'signer', null), ...ofChains];
  }

  /** The API's process with its database and its world, or null while it is dead. */
  api(): ProcessParts | null {
    return this.#places.find(({ kind }) => kind === 'api')?.running ?? null;
  }

  get running(): readonly SimProcess[] {
    return this.#places.flatMap(({ running }) => running?.process ?? []);
  }

  get dead(): readonly string[] {
    return this.#places.filter(({ running }) => running === null).map(({ name }) => name);
  }

  async kill(name: string, when = ''): Promise<void> {
    const place = this.#places.find(({ running }) => running?.process.name === name);
    if (place === undefined || place.running === null) return;
    this.#parts.note(`${name} is killed ${when}`.trimEnd());
    const { database } = place.running;
    place.running = null;
    if (place.kind === 'signer') this.#parts.outgoing?.signer.stop();
    await database.kill();
  }

  /** Ends the idle transactions of the process, as the server does. */
  async cutIdle(name: string): Promise<void> {
    const place = this.#places.find(({ running }) => running?.process.name === name);
    const cut = (await place?.running?.database.cutIdle()) ?? 0;
    if (cut > 0) this.#parts.note(`the database ends ${cut} idle transactions of ${name}`);
  }

  /** Kills all processes without a note, when the run is over. */
  async stop(): Promise<void> {
    for (const place of this.#places) {
      const { running } = place;
      place.running = null;
      await running?.database.kill();
    }
  }

  start(name: string): void {
    const place = this.#places.find((one) => one.name === name);
    if (place === undefined || place.running !== null) return;
    place.lives++;
    const process = new SimProcess(place.kind, `${place.name}/${place.lives}`);
    process.clockErrorMs = this.#parts.clockErrorOf(process.name);
    const database = new GatedDatabase(process, this.#parts.databaseGate);
    const { seed, databaseGate } = this.#parts;
    const world = simWorld(databaseGate.scheduler, process, new Chance(seed, process.name));
    const definitions = this.#parts.chains.map(({ definition }) => definition);
    const log = this.#logOf(process);
    const idle = createIdleChains({ reader: database.reader, world, log }, definitions);
    const parts = { process, database, world, idle };
    place.running = parts;
    if (place.kind === 'signer') this.#parts.outgoing?.signer.start(process);
    if (place.lives > 1) this.#parts.note(`${process.name} starts`);
    this.#run(place, parts);
  }

  #run(place: Place, parts: ProcessParts): void {
    const role = this.#role(place, parts);
    role?.then(
      () => this.#parts.onEnd(parts.process.name, null),
      (error: unknown) => this.#parts.onEnd(parts.process.name, error),
    );
  }

  #role({ kind, chain }: Place, parts: ProcessParts): Promise<void> | null {
    const never = new AbortController().signal;
    if (kind === 'watcher' && chain !== null) return this.#watcher(chain, parts, never);
    if (kind === 'maintenance') return this.#maintenance(parts, never);
    if (kind === 'keeper') return this.#keeper(parts, never);
    if (kind === 'notifier') return this.#notifier(parts, never);
    if (kind === 'payer' && chain !== null) return this.#payer(chain, parts, never);
    if (kind === 'collector' && chain !== null) return this.#collector(chain, parts, never);
    return null;
  }

  #watcher(
    chain: SimChain,
    { process, database, world, idle }: ProcessParts,
    signal: AbortSignal,
  ): Promise<void> {
    const watch = {
      ...this.#eventWriting(world),
      chain: readerOf(process, chain, this.#parts.chainGate, world),
      startBlock: 0,
      transact: database.transact,
      reader: database.reader,
      world,
      idle,
      holder: process.name,
      log: this.#logOf(process),
      observer: {
        onLease: () => undefined,
        onHead: () => undefined,
        onCursor: () => undefined,
        onTransfers: () => undefined,
        onNoted: () => undefined,
        onReorg: () => undefined,
        onHalted: () => undefined,
        onOutage: () => undefined,
        onProviders: () => undefined,
        onInternal: () => undefined,
      },
    };
    return runWatcher(watch, signal);
  }

  #maintenance({ process, database, world, idle }: ProcessParts, signal: AbortSignal): Promise<void> {
    const maintenance: Maintenance = {
      ...this.#eventWriting(world),
      chains: this.#readersOf(process, world),
      schemes: addressSchemes,
      poolSize: POOL_SIZE,
      retention: { deliveriesAfterDays: null, quoteEvidenceAfterDays: null, apiCallsAfterDays: null },
      reuseAfterDays: new Map<string, number>(),
      transact: database.transact,
      reader: database.reader,
      rates: ratesOf(world, this.#parts.market),
      world,
      idle,
      log: this.#logOf(process),
      onBug: () => this.#parts.onEnd(process.name, 'a round met what cannot be'),
    };
    return runMaintenance(maintenance, signal);
  }

  /** Compares balances with the books. The whole audit of postings runs at the end of a run. */
  #keeper({ process, database, world, idle }: ProcessParts, signal: AbortSignal): Promise<void> {
    const { transact, reader } = database;
    const log = this.#logOf(process);
    const chains = this.#readersOf(process, world);
    const lease = {
      name: CHECKS_LEASE,
      holder: process.name,
      leases: createLeaseStore(database),
      world,
      log,
      onLease: () => undefined,
    };
    const checks = { limits: CHECKS, transact, reader, world, idle, log, chains };
    return underLease(lease, signal, (held, whileHeld) => runReserveChecks(checks, held, whileHeld));
  }

  #payer(chain: SimChain, parts: ProcessParts, signal: AbortSignal): Promise<void> {
    const pay: PayChain = {
      ...this.#sending(chain, parts),
      observer: {
        onLease: () => undefined,
        onSigned: () => undefined,
        onRefused: () => undefined,
        onBroadcast: () => undefined,
        onReplaced: () => undefined,
        onRebuilt: () => undefined,
        onBroken: (_, reason) => this.#parts.onEnd(parts.process.name, reason),
        onOutage: () => undefined,
      },
    };
    return runPayer(pay, signal);
  }

  #collector(chain: SimChain, parts: ProcessParts, signal: AbortSignal): Promise<void> {
    const { world } = parts;
    const { outgoing } = this.#parts;
    const [native] = chain.definition.currencies;
    const collect: CollectChain = {
      ...this.#sending(chain, parts),
      policy: {
        minValue: 0n,
        // No limit in effect: prices are drawn, so a fee may be worth more than the amount that it moves.
        maxCostPpm: 10n ** 30n,
        windowMs: COLLECT_WINDOW_MS,
        dailyBudget: amountOf(native?.currencyId ?? 0, 10n ** 30n),
        staker: (outgoing?.markets.get(chain.definition.name)?.stake ?? 0n) > 0n ? STAKER : null,
        sponsored: outgoing?.weather.sponsored === true && chain.definition.family === 'evm',
        topUpPayouts: 10n,
        topUpBudget: amountOf(native?.currencyId ?? 0, 10n ** 30n),
        runway: { days: 7n, payouts: 50n },
      },
      rates: ratesOf(world, this.#parts.market),
      addresses: addressSchemes[chain.definition.family],
      observer: {
        onLease: () => undefined,
        onCollection: () => undefined,
        onGasShort: () => undefined,
        onTopUp: () => undefined,
        onRunway: () => undefined,
        onStake: () => undefined,
        onOutage: () => undefined,
      },
    };
    return runCollector(collect, signal);
  }

  /** The parts that payers and collectors have in common. */
  #sending(chain: SimChain, { process, database, world, idle }: ProcessParts) {
    const { outgoing, chainGate } = this.#parts;
    if (outgoing === null) throw new Error('nothing is paid out in this run');
    return {
      writer: outgoing.writerOf(process, chain, chainGate, world),
      signer: outgoing.signer.portOf(process),
      transact: database.transact,
      reader: database.reader,
      world,
      idle,
      holder: process.name,
      log: this.#logOf(process),
    };
  }

  #readersOf(process: SimProcess, world: World): readonly ChainReader[] {
    const { chains, chainGate } = this.#parts;
    return chains.map((chain) => readerOf(process, chain, chainGate, world));
  }

  #notifier({ process, database, world, idle }: ProcessParts, signal: AbortSignal): Promise<void> {
    const { setup, merchants } = this.#parts;
    const parts = {
      transact: database.transact,
      reader: database.reader,
      world,
      idle,
      post: merchants.postOf(process, world),
      keys: {
        appKey: async (appId: string) => {
          const app = setup.apps.find((one) => one.appId === appId);
          if (app === undefined) throw new Error(`there is no app ${appId}`);
          return app.appKey;
        },
      },
      observer: {
        onAttempt: () => undefined,
        onDied: () => undefined,
        onBroken: (eventId: string, error: unknown) =>
          this.#parts.onEnd(process.name, `${eventId}: ${String(error)}`),
        onTrouble: () => undefined,
      },
      limits: {
        ...defaultNotifierLimits,
        maxUnderWay: this.#shape.webhooksUnderWay,
        maxPerReceiver: 2,
        leaseMs: LEASE_MS,
      },
    };
    return runNotifier(parts, signal);
  }

  #eventWriting(world: World) {
    const currencies = new Map(
      this.#parts.chains.flatMap(({ definition }) => {
        const display = (address: string) => addressSchemes[definition.family].display(address);
        const common = { chainId: wireChainId(definition), display };
        return definition.currencies.map(
          ({ currencyId, decimals, contract, symbol }) =>
            [currencyId, { ...common, decimals, contract: contract ?? symbol }] as const,
        );
      }),
    );
    return {
      encode: createPaymentEventEncoder(currencies),
      encodeTransfer: createTransferEventEncoder(currencies),
      encodeQrPayment: createQrPaymentEventEncoder(currencies),
      newEventId: createEventIds(world),
    };
  }

  /** Notes what production would log in the story of the run; debug lines are left out. */
  #logOf(process: SimProcess): Log {
    const note = (fields: object, message: string): void =>
      this.#parts.note(`${process.name}: ${message} ${describeFields(fields)}`);
    return { debug: () => undefined, info: note, warn: note, error: note };
  }
}
