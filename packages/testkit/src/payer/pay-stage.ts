// A real dev chain behind two providers, watched and paid on step by step, with the signer's own keys in this process.
import { chainsInUse } from '../chains-in-use.ts';
import { type ChainDefinition, nativeCurrency } from '@ducat/core/chain/chain';
import type { Currency } from '@ducat/core/chain/currency';
import { amountOf, unitsOf } from '@ducat/core/money/amount';
import { GATEWAY_ACCOUNT, type KeyPath } from '@ducat/core/signing/key-path';
import type { SignRefusal } from '@ducat/core/signing/sign-answer';
import type { TransferIntent } from '@ducat/core/signing/transfer-intent';
import { families } from '@ducat/gateway/chains/families';
import type { ChainReader } from '@ducat/gateway/chains/port/reader';
import type { ChainWriter } from '@ducat/gateway/chains/port/writer';
import { createChainWriter } from '@ducat/gateway/chains/quorum/chain-writer';
import { createQuorumReader } from '@ducat/gateway/chains/quorum/quorum-reader';
import { auditBooks } from '@ducat/gateway/db/reports/audit';
import type { Transact } from '@ducat/gateway/db/postgres/tx';
import { readCursors } from '@ducat/gateway/db/tables/cursors';
import { listSenders } from '@ducat/gateway/db/tables/outgoing/senders';
import { requestOutgoing, type RequestedOutgoing } from '@ducat/gateway/flows/outgoing/request-outgoing';
import { resumeSender, type ResumedSender } from '@ducat/gateway/flows/outgoing/resume-sender';
import type { SigningPort } from '@ducat/gateway/keys/signer/port';
import type { LeasedPayer } from '@ducat/gateway/roles/payer/parts';
import { payRoundApart } from '@ducat/gateway/roles/payer/round-apart';
import type { LeasedChain } from '@ducat/gateway/roles/watcher/parts';
import { step, walkFromStart } from '@ducat/gateway/roles/watcher/step';
import { newOutgoingId } from '@ducat/gateway/runtime/ids';
import { Outage } from '@ducat/gateway/runtime/outage';
import { realWorld, type World } from '@ducat/gateway/runtime/world';
import { createKeyring, type Keyring } from '@ducat/signer/signing/keyring';
import { inject } from 'vitest';
import { copyTestDatabase, openTestDatabase, type TestDatabase } from '../database.ts';
import { insertApp, plainWriting, TEST_LEASE } from '../fixtures.ts';
import { silentObserver } from '../watcher/silent-observer.ts';

const seed = Uint8Array.from({ length: 64 }, (_, index) => index);
const key: KeyPath = { account: GATEWAY_ACCOUNT, branch: 'wallet', index: 0 };
const nothing = (): void => undefined;

/** Thrown where the simulated process dies. */
export class Killed extends Error {}

/** The dev chain of a test: its nodes, and how blocks are mined and wallets funded. */
export interface PayChainUnderTest {
  readonly definition: ChainDefinition;
  /** One address for each provider. */
  readonly rpcUrls: readonly string[];
  readonly solidityUrls?: readonly string[];
  readonly token: Currency;
  mine(count: number): Promise<unknown>;
  /** Puts coin and tokens into the wallet, in a block. */
  fund(wallet: string): Promise<unknown>;
}

export interface RequestTerms {
  readonly coin?: boolean;
  /** The sending address; the stage's wallet by default. */
  readonly from?: string;
  /** Base units of the native currency. */
  readonly feeCap?: bigint;
}

export interface OutgoingRow {
  readonly state: string;
  readonly nonce: number | null;
  readonly trouble: string | null;
  readonly tx_id: string | null;
  readonly variants: number;
}

export class PayStage {
  database: TestDatabase;
  readonly under: PayChainUnderTest;
  readonly wallet: string;
  readonly reader: ChainReader;
  readonly writer: ChainWriter;
  /** What was logged as an error or a warning. */
  readonly logged: string[] = [];
  nowMs = Date.now();
  /** The reason with which the signer refuses; null while it signs. */
  refusal: SignRefusal | null = null;
  isSignerAway = false;
  /** What the signer does for single subjects instead of signing; `away` means no answer. */
  readonly unsigned = new Map<string, SignRefusal | 'away'>();
  /** How many kill points the process survives. Each call through `mortal` has one before and one after it. */
  lives = Number.POSITIVE_INFINITY;
  readonly #keyring: Keyring = createKeyring(seed);
  #walk = walkFromStart;
  #checked: number | null = null;
  #subjects = 0;
  #events = 0;
  #logSequence = 0;
  readonly #nonces = new Map<string, number>();

  private constructor(database: TestDatabase, under: PayChainUnderTest) {
    this.database = database;
    this.under = under;
    const { definition, rpcUrls, solidityUrls = [] } = under;
    this.wallet = this.#keyring.address(definition.family, key);
    // The rate limit is out of reach, because the clock stands still while a round runs.
    const family = families[definition.family];
    const options = { definition, rpcUrls, solidityUrls, world: this.world, requestsPerSecond: 1_000_000 };
    this.reader = createQuorumReader({
      definition,
      readers: family.createReaders(options),
      world: this.world,
    });
    this.writer = createChainWriter({
      definition,
      writers: family.createWriters(options),
      world: this.world,
    });
  }

  static async open(under: PayChainUnderTest): Promise<PayStage> {
    const database = await openTestDatabase(inject('postgresAdminUrl'));
    const stage = new PayStage(database, under);
    const { name, family } = under.definition;
    await database.transact(async (tx) => {
      for (const lease of [`watch-${name}`, `pay-${name}`])
        await tx.write(
          'INSERT INTO leases (name, token, holder, renewals, taken_at_ms) VALUES ($1, $2, $3, 0, 0)',
          [lease, TEST_LEASE.token, TEST_LEASE.holder],
        );
      await tx.write(
        `INSERT INTO addresses (family, derivation_index, address, purpose) VALUES ($1, 0, $2, 'wallet')`,
        [family, stage.wallet],
      );
    });
    await under.mine(1);
    await stage.watch();
    await under.fund(stage.wallet);
    return stage;
  }

  /** An app without fees that pays from the wallet of the stage, with one deposit address. */
  async openApp(): Promise<void> {
    await insertApp(this.database, { addresses: 1, feePpm: 0, account: key.account });
    await this.database.transact((tx) =>
      tx.write("UPDATE addresses SET app_id = 'app_1' WHERE purpose = 'wallet'", []),
    );
  }

  /** The address of any key below the seed. */
  addressOf(path: KeyPath): string {
    return this.#keyring.address(this.under.definition.family, path);
  }

  close(): Promise<void> {
    return this.database.drop();
  }

  /**
   * Copies the database as it is now. The returned function restores the copy, as from a backup; everything outside
   * of the database stays as it is then.
   */
  async backup(): Promise<() => Promise<void>> {
    const adminUrl = inject('postgresAdminUrl');
    const before = this.database;
    await before.close();
    const [kept, live] = [await copyTestDatabase(adminUrl, before), await copyTestDatabase(adminUrl, before)];
    // The database that both are copied from is dropped with the cluster.
    this.database = live;
    return async () => {
      await live.drop();
      this.database = kept;
      this.#walk = walkFromStart;
      this.restart();
    };
  }

  /** The clock is the test's. A sleep ends only when its signal aborts it. */
  get world(): World {
    return {
      nowMs: () => this.nowMs,
      random: (bytes) => realWorld.random(bytes),
      sleep: (_, signal) => new Promise((resolve) => signal?.addEventListener('abort', () => resolve())),
    };
  }

  get log() {
    const note = (level: string) => (fields: object, message: string) => {
      this.logged.push(`${level} ${message}`);
      void fields;
    };
    return { debug: nothing, info: nothing, warn: note('warn'), error: note('error') };
  }

  /** What watcher and payer have in common. */
  get #leased() {
    const { world, log, database } = this;
    const { reader } = database;
    return { reader, world, idle: chainsInUse, holder: TEST_LEASE.holder, lease: TEST_LEASE, log };
  }

  /** The watcher of the chain, with its lease. */
  get watcher(): LeasedChain {
    return {
      ...this.#leased,
      chain: this.reader,
      startBlock: 0,
      transact: this.database.transact,
      ...plainWriting,
      newEventId: () => `evt_${++this.#events}`,
      observer: silentObserver,
    };
  }

  /** Reads what was mined, and settles what is final. */
  async watch(): Promise<void> {
    // Moves the clock, because finality is polled at an interval while no block arrives.
    this.nowMs += 1_000;
    for (let steps = 0; steps < 200; steps++) {
      const { outcome, walk } = await step(this.watcher, this.#walk);
      this.#walk = walk;
      if (outcome !== 'busy') return;
    }
    throw new Error('the walk does not come to rest');
  }

  /** Mines `count` blocks. Each is read and settled before the next one. */
  async mine(count: number): Promise<void> {
    for (let mined = 0; mined < count; mined++) {
      await this.under.mine(1);
      await this.watch();
    }
  }

  /** Requests a transfer for a new subject. Gives the id of the subject. */
  async request(to: string, units: bigint, terms: RequestTerms = {}): Promise<string> {
    const id = `p${++this.#subjects}`;
    const requested = await this.requestAgain(id, to, units, terms);
    if (requested !== 'requested') throw new Error(`${id} was ${requested}`);
    return id;
  }

  /** Requests a transfer for a subject that may have requested one before. */
  requestAgain(
    id: string,
    to: string,
    units: bigint,
    { coin = false, from = this.wallet, feeCap = 10n ** 17n }: RequestTerms = {},
  ): Promise<RequestedOutgoing> {
    const { definition, token } = this.under;
    const native = nativeCurrency(definition);
    return this.database.transact((tx) =>
      requestOutgoing(tx, {
        outgoingId: newOutgoingId({ ...realWorld, nowMs: () => this.nowMs + this.#subjects }),
        chain: definition,
        subject: { kind: 'payout', id, approval: null },
        from,
        to,
        amount: amountOf((coin ? native : token).currencyId, units),
        feeCap: amountOf(native.currencyId, feeCap),
        nowMs: this.nowMs,
      }),
    );
  }

  /** Signs a transfer with the wallet's key and without the books, as a thief would. */
  signAside(intent: (wallet: Pick<TransferIntent, 'key' | 'subject' | 'chainId'>) => TransferIntent): string {
    const subject = { kind: 'cold', id: 'aside', approval: null } as const;
    return this.#keyring.sign(intent({ key, subject, chainId: this.under.definition.chainId })).bytes;
  }

  /** Resumes the sender, as an operator does after a check. */
  async resumeSender(reported: number): Promise<ResumedSender> {
    const [sender] = await listSenders(this.database.reader, 1);
    if (sender === undefined) throw new Error('there is no sender');
    const { senderId, chain, stoppedReason } = sender;
    const at = { number: await this.finalNumber() };
    const input = { chain, senderId, at, reported, reason: stoppedReason ?? '', nowMs: this.nowMs };
    return this.database.transact((tx) => resumeSender(tx, input));
  }

  /**
   * Runs rounds until none is busy, as a process that may die on the way. `afterMs` moves the clock, so that work
   * becomes due.
   */
  async pay(afterMs = 0): Promise<void> {
    this.nowMs += afterMs;
    for (let rounds = 0; rounds < 50; rounds++) {
      const { outcome, checked } = await payRoundApart(this.#payer(), this.#checked);
      this.#checked = checked;
      if (outcome !== 'busy') return;
      this.nowMs += 1;
    }
    throw new Error('paying does not come to rest');
  }

  /** A new process takes over. It knows only the rows of the database. */
  restart(): void {
    this.lives = Number.POSITIVE_INFINITY;
    this.#checked = null;
  }

  #payer(): LeasedPayer {
    const { database, writer } = this;
    return {
      ...this.#leased,
      writer: { ...writer, broadcast: (bytes) => this.mortal(() => writer.broadcast(bytes)) },
      signer: this.#signer(),
      transact: ((flow, shape) => this.mortal(() => database.transact(flow, shape))) satisfies Transact,
      observer: {
        onLease: nothing,
        onSigned: nothing,
        onRefused: nothing,
        onBroadcast: nothing,
        onReplaced: nothing,
        onRebuilt: nothing,
        onBroken: nothing,
        onOutage: nothing,
      },
    };
  }

  #signer(): SigningPort {
    return {
      sign: (intent) =>
        this.mortal(() => {
          const reason = this.isSignerAway ? 'away' : this.#refusalOf(intent);
          if (reason === 'away') return Promise.reject(new Outage('the signer is away'));
          const logSequence = ++this.#logSequence;
          if (reason !== null) return Promise.resolve({ outcome: 'refused', reason, logSequence } as const);
          return Promise.resolve({
            outcome: 'signed',
            ...this.#keyring.sign(intent),
            from: this.addressOf(intent.key),
            logSequence,
          } as const);
        }),
    };
  }

  /** As the signer's log decides: a subject is signed on one nonce, for ever. */
  #refusalOf(intent: TransferIntent): SignRefusal | 'away' | null {
    const { id } = intent.subject;
    const reason = this.unsigned.get(id) ?? this.refusal;
    if (reason !== null || intent.family !== 'evm') return reason;
    const place = `${intent.subject.kind} ${id} ${this.addressOf(intent.key)}`;
    if ((this.#nonces.get(place) ?? intent.nonce) !== intent.nonce) return 'subject-differs';
    this.#nonces.set(place, intent.nonce);
    return null;
  }

  /** A call before and after which the process may die. */
  async mortal<T>(call: () => Promise<T>): Promise<T> {
    this.#age();
    const result = await call();
    this.#age();
    return result;
  }

  #age(): void {
    if (--this.lives < 0) throw new Killed();
  }

  async row(id: string): Promise<OutgoingRow> {
    const [row] = await this.database.reader.read<OutgoingRow>(
      `SELECT state, nonce, trouble, tx_id,
         (SELECT count(*)::integer FROM outgoing_variants v WHERE v.outgoing_id = o.outgoing_id) AS variants
       FROM outgoing_transactions o WHERE subject_id = $1`,
      [id],
    );
    if (row === undefined) throw new Error(`there is no ${id}`);
    return row;
  }

  /** The signed bytes of each variant, the oldest first. */
  async bytesOf(id: string): Promise<readonly string[]> {
    const rows = await this.database.reader.read<{ bytes: string }>(
      `SELECT v.bytes FROM outgoing_variants v JOIN outgoing_transactions USING (outgoing_id)
       WHERE subject_id = $1 AND v.bytes IS NOT NULL ORDER BY v.ordinal`,
      [id],
    );
    return rows.map(({ bytes }) => bytes);
  }

  async finalNumber(): Promise<number> {
    const [cursor] = (await readCursors(this.database.reader)).values();
    return cursor?.finalNumber ?? -1;
  }

  /** What a recipient holds at the newest final block, in base units. */
  async held(address: string, currency: Currency = this.under.token): Promise<bigint> {
    const [at] = await this.database.reader.read<{ number: number; hash: string }>(
      `SELECT number, hash FROM blocks JOIN chain_cursors ON blocks.chain = chain_cursors.chain
       AND number = final_number`,
      [],
    );
    if (at === undefined) throw new Error('nothing is final');
    const [report] = await this.reader.balances([address], currency, at, 1);
    const [amount] = report?.amounts ?? [];
    if (amount === undefined) throw new Error('no balance was reported');
    return unitsOf(amount);
  }

  /** What the books find wrong with themselves. */
  async troubles(): Promise<readonly string[]> {
    return auditBooks(this.database.reader);
  }
}
