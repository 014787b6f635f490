// An app with deposit addresses on a pay stage, and the collector that empties them, round by round.
import { chainsInUse } from '../chains-in-use.ts';
import { amountOf } from '@ducat/core/money/amount';
import { parseRate } from '@ducat/core/money/rate';
import { nativeCurrency } from '@ducat/core/chain/chain';
import type { CollectionPolicy } from '@ducat/core/collection/policy';
import { accept } from '@ducat/core/result';
import { assert } from '@ducat/core/assert';
import { walletPath } from '@ducat/core/signing/key-path';
import type { Transact } from '@ducat/gateway/db/postgres/tx';
import type { LeasedCollector } from '@ducat/gateway/roles/collector/parts';
import { collectRound } from '@ducat/gateway/roles/collector/round';
import { type StraysSeen, watchStake } from '@ducat/gateway/roles/collector/stake/watch-stake';
import { topUpWallets } from '@ducat/gateway/roles/collector/top-up-wallets';
import { Outage } from '@ducat/gateway/runtime/outage';
import { realWorld } from '@ducat/gateway/runtime/world';
import { insertTestOrder, TEST_LEASE } from '../fixtures.ts';
import type { PayStage } from './pay-stage.ts';

const ACCOUNT = 1;
const nothing = (): void => undefined;

export interface HoldingRow {
  readonly state: string;
  readonly reason: string | null;
  readonly currency_id: number;
}

export class CollectStage {
  readonly stage: PayStage;
  readonly wallet: string;
  readonly events: string[] = [];
  policy: CollectionPolicy;
  #deposits = 0;
  readonly #strays: StraysSeen = new Map();

  private constructor(stage: PayStage) {
    this.stage = stage;
    this.wallet = stage.addressOf(walletPath(ACCOUNT));
    const native = nativeCurrency(stage.under.definition);
    this.policy = {
      minValue: 5_000_000n,
      maxCostPpm: 500_000n,
      windowMs: 60_000,
      dailyBudget: amountOf(native.currencyId, 10n ** BigInt(native.decimals + 3)),
      staker: null,
      sponsored: false,
      topUpPayouts: 10n,
      topUpBudget: amountOf(native.currencyId, 10n ** BigInt(native.decimals + 3)),
      runway: { days: 7n, payouts: 50n },
    };
  }

  static async open(stage: PayStage): Promise<CollectStage> {
    const { name, family } = stage.under.definition;
    await stage.database.transact(async (tx) => {
      await tx.write(
        'INSERT INTO leases (name, token, holder, renewals, taken_at_ms) VALUES ($1, $2, $3, 0, 0)',
        [`collect-${name}`, TEST_LEASE.token, TEST_LEASE.holder],
      );
      await tx.write(`INSERT INTO merchants VALUES ('mer_1', 'Shop', 300, 0)`, []);
      await tx.write(
        `INSERT INTO apps (app_id, merchant_id, name, kind, account, sealed_key, created_at_ms)
         VALUES ('app_1', 'mer_1', 'Shop', 'PAYMENT', $1, '\\x00', 0)`,
        [ACCOUNT],
      );
      await tx.write(`INSERT INTO account_keys VALUES ('app_1', $1, 'key')`, [family]);
    });
    return new CollectStage(stage);
  }

  /** A new deposit address of the app. */
  async deposit(): Promise<string> {
    const index = this.#deposits++;
    const address = this.stage.addressOf({ account: ACCOUNT, branch: 'deposit', index });
    await this.stage.database.transact((tx) =>
      tx.write(
        `INSERT INTO addresses (app_id, family, derivation_index, address) VALUES ('app_1', $1, $2, $3)`,
        [this.stage.under.definition.family, index, address],
      ),
    );
    return address;
  }

  /** Places an order for `units` of a token. Gives its address. */
  async order(currencyId: number, units: bigint): Promise<string> {
    await this.deposit();
    const { name: chain, family } = this.stage.under.definition;
    const timeExpire = Math.floor(this.stage.nowMs / 1_000) + 1_000_000;
    const terms = { due: amountOf(currencyId, units), collected: amountOf(currencyId, 0n), timeExpire };
    const tradeNo = `ord_${this.#deposits}`;
    const { address } = await insertTestOrder(this.stage.database, {
      tradeNo,
      chain,
      family,
      currencyId,
      terms,
    });
    return address;
  }

  /** Moves the clock by `afterMs`, and runs rounds until none is busy. */
  async collect(afterMs = 0): Promise<void> {
    this.stage.nowMs += afterMs;
    for (let rounds = 0; rounds < 20; rounds++) {
      if ((await collectRound(this.#collector())) !== 'busy') return;
    }
    throw new Error('collecting does not come to rest');
  }

  /** Checks once whether the wallets that pay out need a top-up. */
  async topUp(): Promise<void> {
    if (!(await topUpWallets(this.#collector()))) throw new Error('the lease is lost');
  }

  /** Moves the clock by `afterMs`, and checks the stake once. */
  async watchStake(afterMs = 0): Promise<void> {
    this.stage.nowMs += afterMs;
    if (!(await watchStake(this.#collector(), this.#strays))) throw new Error('the lease is lost');
  }

  /** Runs every step of all collections that are due. `settle` makes each step final. */
  async collectAll(settle: () => Promise<unknown>): Promise<void> {
    await this.collect(this.policy.windowMs);
    for (let steps = 0; steps < 2; steps++) {
      await this.stage.pay(1_000);
      await settle();
      await this.collect(1_000);
    }
  }

  #collector(): LeasedCollector {
    const { stage } = this;
    const { writer, database, log, world } = stage;
    return {
      writer,
      policy: this.policy,
      rates: {
        quote: () => {
          const rate = parseRate('USDT', '1000');
          assert(rate !== null, 'the price is one');
          return Promise.resolve(accept({ rate, at: 0, source: 'test', evidence: [] }));
        },
        warning: null,
      },
      signer: { accountPublicKey: () => Promise.reject(new Outage('the gas wallet is known already')) },
      addresses: {
        derive: () => this.wallet,
        canonical: (text) => text,
        display: (text) => text,
      },
      transact: ((flow, shape) => stage.mortal(() => database.transact(flow, shape))) satisfies Transact,
      reader: database.reader,
      // Ids need real randomness.
      world: { ...world, nowMs: () => stage.nowMs, random: (bytes) => realWorld.random(bytes) },
      idle: chainsInUse,
      holder: TEST_LEASE.holder,
      lease: TEST_LEASE,
      onItem: nothing,
      inARow: { broken: 0 },
      log,
      observer: {
        onLease: nothing,
        onCollection: (_, event) => this.events.push(event),
        onGasShort: nothing,
        onTopUp: (_, event) => this.events.push(event),
        onRunway: nothing,
        onStake: nothing,
        onOutage: nothing,
      },
    };
  }

  /** The holdings that the books count at an address. */
  async holdings(address: string): Promise<readonly HoldingRow[]> {
    return this.stage.database.reader.read<HoldingRow>(
      `SELECT h.state, h.reason, h.currency_id FROM holdings h JOIN addresses USING (address_id)
       WHERE address = $1 ORDER BY currency_id`,
      [address],
    );
  }

  /** The collections of an address, the oldest first. */
  async collections(
    address: string,
  ): Promise<readonly { readonly method: string; readonly state: string; readonly units: string }[]> {
    return this.stage.database.reader.read(
      `SELECT method, state, units::text FROM collections JOIN addresses USING (address_id)
       WHERE address = $1 ORDER BY collection_id`,
      [address],
    );
  }
}
