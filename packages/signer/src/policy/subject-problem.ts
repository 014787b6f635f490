// One intent per subject, one subject per nonce, and on Tron no two transactions of a subject that could both be included.
import { sweepingRecord } from '@ducat/core/signing/intent-record';
import type { SignRefusal } from '@ducat/core/signing/sign-answer';
import type {
  EvmFees,
  EvmTransferIntent,
  Sweeping,
  TransferIntent,
  TronTransferIntent,
} from '@ducat/core/signing/transfer-intent';
import { authorisedNonces, nonceKey, type SignedIntent, type SigningState } from './signing-state.ts';
import { factsOf, subjectKey, type TransferFacts } from './transfer-facts.ts';

const dayMs = 24 * 3_600_000;
/**
 * How long past its expiration a transaction still counts as open. Expiration is checked against the clock of the
 * block, and clocks differ.
 */
const expiryMarginMs = 60_000;

interface Question {
  readonly intent: TransferIntent;
  readonly from: string;
  readonly state: SigningState;
  readonly nowMs: number;
}

/** Null where nothing that was signed forbids the intent. */
export function subjectProblem(question: Question): SignRefusal | null {
  const { intent, from, state } = question;
  const key = subjectKey(intent);
  const before = state.subjects.get(key) ?? [];
  if (!before.every((signed) => isSameTransfer(signed, { intent, from }))) return 'subject-differs';
  if (sweepingType(intent) === 'nothing' && before.length === 0) return 'subject-differs';
  if (intent.family === 'tron') return expiryProblem(intent, before, question.nowMs);
  const owner = state.nonces.get(nonceKey({ intent, from }) ?? '');
  if (owner !== undefined && owner !== key) return 'nonce-taken';
  // mark: a-nonce-is-authorised-once
  const isTaken = authorisedNonces(intent).some(
    (spent) => state.nonces.has(spent) || (state.authorisations.get(spent) ?? key) !== key,
  );
  if (isTaken) return 'nonce-taken';
  return before.every((signed) => offersMore(intent, signed.intent)) ? null : 'fee-not-higher';
}

/** The same money from and to the same addresses, on EVM with the same nonce. */
function isSameTransfer(before: SignedIntent, now: SignedIntent): boolean {
  const [one, other] = [factsOf(before.intent), factsOf(now.intent)];
  return (
    before.from === now.from &&
    before.intent.chainId === now.intent.chainId &&
    before.intent.family === now.intent.family &&
    nonceKey(before) === nonceKey(now) &&
    (actionType(before.intent) === actionType(now.intent) || takesPlace(now.intent, before.intent)) &&
    one.to === other.to &&
    one.contract === other.contract &&
    isSameAmount(now.intent, one, other)
  );
}

/** A transaction that moves nothing may take the place of a sweep, and of nothing else. */
function takesPlace(now: TransferIntent, before: TransferIntent): boolean {
  // mark: nothing-takes-the-place-of-a-sweep-alone
  return sweepingType(now) === 'nothing' && sweepingType(before) === 'sweep';
}

function sweepingType(intent: TransferIntent): Sweeping['type'] | null {
  return intent.family === 'evm' ? (intent.sweeping?.type ?? null) : null;
}

/** A collection of native coin sends the whole balance less the fee. A higher fee therefore leaves a lower amount. */
function isSameAmount({ subject }: TransferIntent, before: TransferFacts, now: TransferFacts): boolean {
  if (now.baseUnits === before.baseUnits) return true;
  const isWhole = subject.kind === 'collection' && now.contract === null;
  return isWhole && now.baseUnits < before.baseUnits;
}

function actionType(intent: TransferIntent): string {
  if (intent.family === 'evm')
    return intent.sweeping === undefined ? 'transfer' : JSON.stringify(sweepingRecord(intent.sweeping));
  const { action } = intent;
  if (action.type === 'transfer') return action.type;
  const { address, permission } = action.staker;
  return `${action.type} ${action.resource} ${address} ${permission}`;
}

function expiryProblem(
  { expirationMs }: TronTransferIntent,
  before: readonly SignedIntent[],
  nowMs: number,
): SignRefusal | null {
  if (expirationMs <= nowMs || expirationMs > nowMs + dayMs) return 'expiration';
  const isOpen = before.some(
    ({ intent }) => intent.family === 'tron' && nowMs <= intent.expirationMs + expiryMarginMs,
  );
  return isOpen ? 'unexpired' : null;
}

function offersMore({ fees }: EvmTransferIntent, before: TransferIntent): boolean {
  if (before.family !== 'evm') return false;
  const [now, earlier] = [pricesOf(fees), pricesOf(before.fees)];
  return now.most > earlier.most && now.tip >= earlier.tip;
}

function pricesOf(fees: EvmFees): { readonly most: bigint; readonly tip: bigint } {
  return fees.type === 'legacy'
    ? { most: fees.gasPrice, tip: fees.gasPrice }
    : { most: fees.maxFeePerGas, tip: fees.maxPriorityFeePerGas };
}
