// Answers intents: a repeated one with the same bytes, a new one by policy and log. Decisions are logged before answers.
import { createHash } from 'node:crypto';
import { intentRecord, readIntent } from '@ducat/core/signing/intent-record';
import type { SignAnswer, SignRefusal } from '@ducat/core/signing/sign-answer';
import type { TransferIntent } from '@ducat/core/signing/transfer-intent';
import { openSafeMode } from '../log/safe-mode.ts';
import { type OpenedLog, openSigningLog } from '../log/signing-log.ts';
import { OperatorError } from '../operator-error.ts';
import { signProblem } from '../policy/decide.ts';
import type { Policy } from '../policy/policy.ts';
import { addSigned } from '../policy/signing-state.ts';
import { intentHash, subjectKey } from '../policy/transfer-facts.ts';
import { sweptPaths } from './evm-sweep.ts';
import type { Keyring } from './keyring.ts';
import type { SignedBytes } from './signed-bytes.ts';

export interface IntentSigner {
  /** Throws where the log entry could not be written; then no signature leaves the signer. */
  sign(question: SigningQuestion): SignAnswer;
  /** Whether safe mode is on: the signer then answers only what its log holds. */
  isSafeMode(): boolean;
  /** The newest entry of the log. */
  logHead(): { readonly sequence: number; readonly hash: string };
  close(): void;
}

export interface SigningQuestion {
  readonly client: string;
  /** The intent as the client sent it, not yet checked. */
  readonly intent: unknown;
  /** The latest position of the log that the client has seen. */
  readonly clientSequence: number;
  /** Whether the client's method is for this subject. */
  readonly isFor: (intent: TransferIntent) => boolean;
}

export interface IntentSignerOptions {
  readonly logPath: string;
  readonly keyId: string;
  readonly policy: Policy;
  readonly keyring: Keyring;
  /** Unix milliseconds. */
  readonly wallClockMs: () => number;
}

const maxBehind = 2 ** 40;

/** Throws OperatorError when the log is missing, damaged, or of another seed. */
export function openIntentSigner(options: IntentSignerOptions): IntentSigner {
  const opened = openSigningLog(options.logPath);
  if (opened.replayed.keyId !== options.keyId) {
    opened.log.close();
    throw new OperatorError(
      'log-foreign',
      `The signing log belongs to the seed ${opened.replayed.keyId}, and the keystore holds ${options.keyId}.`,
    );
  }
  return signerOf(options, opened);
}

function signerOf({ policy, keyring, wallClockMs }: IntentSignerOptions, opened: OpenedLog): IntentSigner {
  const { log, replayed } = opened;
  const { state } = replayed;
  const safeMode = openSafeMode(opened, wallClockMs());
  const refuse = (
    client: string,
    given: unknown,
    intent: TransferIntent | null,
    reason: SignRefusal,
  ): SignAnswer => {
    const record = intent && intentRecord(intent);
    const paramsSha256 = createHash('sha256')
      .update(JSON.stringify(given) ?? '')
      .digest('hex');
    log.append({ event: 'refused', client, reason, intent: record, paramsSha256 }, wallClockMs());
    return { outcome: 'refused', reason, logSequence: safeMode.position() };
  };
  const answer = (signed: SignedBytes, from: string): SignAnswer => ({
    outcome: 'signed',
    ...signed,
    from,
    logSequence: safeMode.position(),
  });
  const decide = (intent: TransferIntent, from: string): SignRefusal | null => {
    if (safeMode.isOn()) return 'safe-mode';
    const { subject, family } = intent;
    const recipient = 'recipient' in subject ? keyring.address(family, subject.recipient) : null;
    const swept = sweptPaths(intent).map((path) => keyring.address(family, path));
    // Time is at least that of the newest entry, so that setting the clock back does not free limits that are used up.
    const nowMs = Math.max(wallClockMs(), log.head().atMs);
    return signProblem({ intent, from, recipient, swept, policy, state, nowMs });
  };
  return {
    isSafeMode: () => safeMode.isOn(),
    logHead: () => ({ sequence: log.head().sequence, hash: log.head().hash }),
    sign({ client, intent: given, clientSequence, isFor }) {
      // No log is really so far behind. Taking over such a number would leave no safe integers for later positions.
      if (clientSequence > safeMode.position() + maxBehind) return refuse(client, given, null, 'malformed');
      safeMode.noteSeen(clientSequence, wallClockMs());
      const intent = readIntent(given);
      if (intent === null) return refuse(client, given, null, 'malformed');
      if (!isFor(intent)) return refuse(client, given, intent, 'subject-kind');
      const from = keyring.address(intent.family, intent.key);
      const hash = intentHash(intent);
      const signed = state.subjects.get(subjectKey(intent)) ?? [];
      if (signed.some((each) => intentHash(each.intent) === hash)) return answer(keyring.sign(intent), from);
      const problem = decide(intent, from);
      if (problem !== null) return refuse(client, given, intent, problem);
      const made = keyring.sign(intent);
      const record = intentRecord(intent);
      log.append({ event: 'signed', client, intent: record, txId: made.txId, from }, wallClockMs());
      addSigned(state, { intent, from }, log.head().atMs);
      return answer(made, from);
    },
    close: () => log.close(),
  };
}
