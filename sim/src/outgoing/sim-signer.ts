// The signer as a process of the simulator: its own policy, log and refusals, killed and started again with the same log.
import { createPrivateKey, createPublicKey, type KeyObject, sign as signBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ApprovedPayout, approvalBytes } from '@ducat/core/signing/approval-bytes';
import { intentRecord } from '@ducat/core/signing/intent-record';
import type { SignAnswer, SignedTransfer } from '@ducat/core/signing/sign-answer';
import type { PayoutApproval, TransferIntent } from '@ducat/core/signing/transfer-intent';
import type { SignerPort, SigningPort } from '@ducat/gateway/keys/signer/port';
import { Outage } from '@ducat/gateway/runtime/outage';
import { createSigningLog, verifySigningLog } from '@ducat/signer/log/signing-log';
import type { Policy } from '@ducat/signer/policy/policy';
import { type IntentSigner, openIntentSigner } from '@ducat/signer/signing/intent-signer';
import type { SimChain } from '../nodes/sim-chain.ts';
import type { Chance } from '../world/chance.ts';
import type { AskOptions, Scheduler } from '../world/scheduler.ts';
import type { SimProcess } from '../world/sim-process.ts';
import { accountKeyOf, cheapKeyring } from './chain/sent-bytes.ts';
import { STAKER } from './chain/stake.ts';

export interface SimSignerParts {
  readonly chains: readonly SimChain[];
  readonly scheduler: Scheduler;
  readonly chance: Chance;
  /** The share of requests that are lost, half of them after they were answered. */
  readonly losing: () => number;
  readonly onSigned: (intent: TransferIntent, answer: SignedTransfer) => void;
}

const APPROVER = 'alice';
const KEY_ID = 'simulated';
/** An Ed25519 key in PKCS #8: its head, and 32 bytes that are no secret here. */
const APPROVER_KEY = `302e020100300506032b657004220420${'2a'.repeat(32)}`;
/** No run moves so much money. */
const LIMIT = 10n ** 40n;
const LIMITS = { perTransaction: LIMIT, perHour: LIMIT, perDay: LIMIT };

export class SimSigner {
  readonly #parts: SimSignerParts;
  readonly #folder: string;
  readonly #logPath: string;
  readonly #approverKey: KeyObject;
  #running: IntentSigner | null = null;
  /** The process that runs the signer now; null while it is dead. */
  #process: SimProcess | null = null;

  constructor(parts: SimSignerParts) {
    this.#parts = parts;
    this.#folder = mkdtempSync(join(tmpdir(), 'ducat-sim-signer-'));
    this.#logPath = join(this.#folder, 'signing.log');
    const der = Buffer.from(APPROVER_KEY, 'hex');
    this.#approverKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    createSigningLog(this.#logPath, KEY_ID, true, parts.scheduler.nowMs);
  }

  start(process: SimProcess): void {
    this.#process = process;
    const { scheduler } = this.#parts;
    this.#running = openIntentSigner({
      logPath: this.#logPath,
      keyId: KEY_ID,
      policy: this.#policy(),
      keyring: cheapKeyring(),
      wallClockMs: () => scheduler.nowMs,
    });
  }

  stop(): void {
    this.#running?.close();
    this.#running = null;
    this.#process = null;
  }

  /** What is wrong with the log; null where it holds. */
  logProblem(): string | null {
    try {
      verifySigningLog(this.#logPath);
      return null;
    } catch (error) {
      return String(error);
    }
  }

  remove(): void {
    this.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** The signer as a process of the gateway reaches it. */
  portOf(process: SimProcess): SigningPort & SignerPort {
    return {
      sign: (intent, logSequence) =>
        this.#ask(
          process,
          `sign ${intent.subject.kind} ${intent.subject.id}`,
          (signer) => this.#sign(signer, intent, logSequence),
          { isEffect: () => true },
        ),
      accountPublicKey: (_family, account) => this.#ask(process, 'public key', () => accountKeyOf(account)),
    };
  }

  /** A second person's approval of a payout. */
  approve(payout: Omit<ApprovedPayout, 'approver'>): PayoutApproval {
    const approver = APPROVER;
    const { feeCap, expiry } = payout;
    const bytes = approvalBytes({ ...payout, approver });
    const signature = signBytes(null, bytes, this.#approverKey).toString('hex');
    return { approver, feeCap, expiry, signature };
  }

  #ask<T>(
    process: SimProcess,
    label: string,
    answer: (signer: IntentSigner) => T,
    options: AskOptions<T> = {},
  ): Promise<T> {
    const { scheduler, chance, losing } = this.#parts;
    const work = async (): Promise<T> => {
      const signer = this.#process?.canStep(scheduler.nowMs) === true ? this.#running : null;
      if (signer === null || chance.hits(losing() / 2)) throw new Outage('the signer cannot be reached');
      const answered = answer(signer);
      if (chance.hits(losing() / 2)) throw new Outage('the answer of the signer was lost');
      return answered;
    };
    return scheduler.ask(process, `signer ${label}`, work, options);
  }

  #sign(signer: IntentSigner, intent: TransferIntent, clientSequence: number): SignAnswer {
    const isPayout = intent.subject.kind === 'payout';
    const answer = signer.sign({
      client: 'gateway',
      intent: JSON.parse(JSON.stringify(intentRecord(intent))),
      clientSequence,
      isFor: ({ subject }) => (subject.kind === 'payout') === isPayout,
    });
    if (answer.outcome === 'signed') this.#parts.onSigned(intent, answer);
    return answer;
  }

  #policy(): Policy {
    const chains = this.#parts.chains.map(({ definition }) => ({
      chainId: definition.chainId,
      family: definition.family,
      fees: LIMITS,
      assets: definition.currencies.map(({ contract }) => ({ contract, ...LIMITS, approvalAbove: null })),
      cold: [],
      sponsored: definition.family === 'evm',
      stake: definition.family === 'tron' ? { staker: STAKER, ...LIMITS } : null,
    }));
    return { chains, approvers: new Map([[APPROVER, createPublicKey(this.#approverKey)]]) };
  }
}
