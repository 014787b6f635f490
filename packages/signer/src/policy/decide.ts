// The signer's own "yes" or "no" to an intent, from its policy and from what it has signed. Pure.
import type { SignRefusal } from '@ducat/core/signing/sign-answer';
import type { KeyPath } from '@ducat/core/signing/key-path';
import type { TransferIntent } from '@ducat/core/signing/transfer-intent';
import { approvalProblem } from './approval.ts';
import type { AssetPolicy, ChainPolicy, Limits, Policy, StakePolicy } from './policy.ts';
import { subjectProblem } from './subject-problem.ts';
import { type SweepingIntent, sweepingUseProblem } from './sweeping-use.ts';
import { assetName, type SigningState, spendingOf, spentName } from './signing-state.ts';
import { factsOf, subjectKey, type TransferFacts } from './transfer-facts.ts';

export interface Question {
  readonly intent: TransferIntent;
  /** The address of the key that would sign. */
  readonly from: string;
  /** The address that the subject names by its path; null where it names none. */
  readonly recipient: string | null;
  /** Of a sweep: the deposit addresses at the places that it names, in its order; empty elsewhere. */
  readonly swept: readonly string[];
  readonly policy: Policy;
  readonly state: SigningState;
  /** Unix milliseconds; never before the newest entry of the log. */
  readonly nowMs: number;
}

/** Null for yes. An intent that was signed before does not come here: it has its answer. */
export function signProblem(question: Question): SignRefusal | null {
  const { intent, policy } = question;
  const facts = factsOf(intent);
  const chain = policy.chains.find(
    ({ family, chainId }) => family === intent.family && chainId === intent.chainId,
  );
  if (chain === undefined) return 'chain-unknown';
  if (intent.family === 'evm' && intent.sweeping !== undefined)
    return sweepingProblem(question, { ...intent, sweeping: intent.sweeping }, chain);
  if (facts.baseUnits === 0n) return 'malformed';
  if (!facts.movesMoney) return delegationProblem(question, facts, chain);
  const asset = chain.assets.find(({ contract }) => contract === facts.contract);
  if (asset === undefined) return 'asset-unknown';
  return (
    keyProblem(intent, facts) ??
    destinationProblem(question, facts, chain) ??
    subjectProblem(question) ??
    secondPersonProblem(question, facts, asset) ??
    limitProblem(question, chain, asset)
  );
}

/** The gas wallet alone sweeps, by nothing but the sweeper of a wallet that is derived here, and from addresses of its app. */
function sweepingProblem(question: Question, intent: SweepingIntent, chain: ChainPolicy): SignRefusal | null {
  // What ends a sweep is signed where sweeps are off by now.
  // mark: no-sweep-but-by-the-policy
  if (!chain.sponsored && intent.sweeping.type !== 'nothing') return 'sweep-off';
  const facts = factsOf(intent);
  return (
    sweepingUseProblem(intent, question.swept, chain) ??
    destinationProblem(question, facts, chain) ??
    subjectProblem(question) ??
    limitProblem(question, chain, chain.fees)
  );
}

/** Energy of the one account that the policy names goes to deposit addresses of ours alone, and comes back from them. */
function delegationProblem(question: Question, facts: TransferFacts, chain: ChainPolicy): SignRefusal | null {
  const { intent } = question;
  const { stake } = chain;
  // mark: only-the-stake-of-the-policy
  if (stake === null || !isOfStake(intent, stake)) return 'stake-unknown';
  // Wallets may have energy that an operator gave them by hand.
  const { subject } = intent;
  if (!('recipient' in subject) || subject.recipient.branch !== 'deposit') return 'key-use';
  return (
    keyProblem(intent, facts) ??
    destinationProblem(question, facts, chain) ??
    subjectProblem(question) ??
    limitProblem(question, chain, stake)
  );
}

function isOfStake(intent: TransferIntent, { staker }: StakePolicy): boolean {
  if (intent.family !== 'tron' || intent.action.type === 'transfer') return false;
  const { resource, staker: asked } = intent.action;
  return resource === 'energy' && asked.address === staker.address && asked.permission === staker.permission;
}

/** Wallets collect, fund and go to cold storage; what funds is the native coin or resources, never a token. */
function keyProblem(
  { subject, key }: TransferIntent,
  { movesMoney, contract }: TransferFacts,
): SignRefusal | null {
  const isWallet = ({ branch }: KeyPath): boolean => branch === 'wallet';
  const isRight = {
    payout: () => movesMoney,
    collection: () => movesMoney && 'recipient' in subject && isWallet(subject.recipient),
    funding: () => isWallet(key) && contract === null,
    cold: () => movesMoney && isWallet(key),
  }[subject.kind]();
  return isRight ? null : 'key-use';
}

/** Zero, precompiled contracts, the token itself, and the sender get nothing, for every client. */
function destinationProblem(
  { intent, from, recipient }: Question,
  { to }: TransferFacts,
  { assets, cold }: ChainPolicy,
): SignRefusal | null {
  const isNobody = /^(?:0x|41)0{36}/.test(to);
  if (isNobody || to === from || assets.some(({ contract }) => contract === to)) return 'destination';
  if (intent.subject.kind === 'cold') return cold.includes(to) ? null : 'destination';
  return recipient === null || recipient === to ? null : 'destination';
}

/** Of what leaves for addresses whose keys are not ours. */
function secondPersonProblem(
  { intent, policy, state, nowMs }: Question,
  facts: TransferFacts,
  { approvalAbove }: AssetPolicy,
): SignRefusal | null {
  const { subject, chainId } = intent;
  if (!('approval' in subject)) return null;
  const { approval, id, kind } = subject;
  const isNeeded = approvalAbove !== null && facts.baseUnits > approvalAbove;
  if (approval === null) return isNeeded ? 'approval-missing' : null;
  // What offers more on the nonce of signed bytes moves nothing besides. It is within the fee that was approved, and may be needed late.
  // mark: an-approval-outlasts-its-first-signature
  const isFurther = intent.family === 'evm' && state.subjects.has(subjectKey(intent));
  const approved = { ...facts, kind, payoutId: id, chainId };
  const problem = approvalProblem(approval, approved, policy, isFurther ? null : nowMs);
  if (problem !== null) return problem;
  // A rebuilt transaction of Tron could be a second payment: whether the first was included only a person can say here.
  return state.usedApprovals.has(approval.signature) ? 'approval-used' : null;
}

function limitProblem(
  { intent, from, state, nowMs }: Question,
  chain: ChainPolicy,
  limits: Limits,
): SignRefusal | null {
  const { amount, fee } = spendingOf(state, { intent, from });
  const { spendings } = state;
  const feeLimit =
    factsOf(intent).fee > chain.fees.perTransaction
      ? 'transaction'
      : spendings.broken(assetName(intent, 'fees'), fee, chain.fees, nowMs);
  if (feeLimit !== null) return `limit-fee-${feeLimit}`;
  const limit = amount === 0n ? null : spendings.broken(spentName(intent), amount, limits, nowMs);
  return limit === null ? null : `limit-${limit}`;
}
