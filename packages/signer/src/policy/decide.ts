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
  /** The deposit addresses derived for the places that a sweep names, in its order. Empty for other intents. */
  readonly swept: readonly string[];
  readonly policy: Policy;
  readonly state: SigningState;
  /** Unix milliseconds; never before the newest entry of the log. */
  readonly nowMs: number;
}

/**
 * Null where the intent may be signed. Intents that were signed before are answered by the caller and are not asked
 * about here.
 */
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

/**
 * Only the gas wallet may sweep. It uses the sweeper of a wallet that is derived here, and empties only addresses of
 * that wallet's app.
 */
function sweepingProblem(question: Question, intent: SweepingIntent, chain: ChainPolicy): SignRefusal | null {
  // A transaction that ends a sweep (`nothing`) is signed even where the policy no longer allows sweeps.
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

/**
 * Energy is delegated from the one stake that the policy names, to our deposit addresses alone, and taken back from
 * them.
 */
function delegationProblem(question: Question, facts: TransferFacts, chain: ChainPolicy): SignRefusal | null {
  const { intent } = question;
  const { stake } = chain;
  // mark: only-the-stake-of-the-policy
  if (stake === null || !isOfStake(intent, stake)) return 'stake-unknown';
  // Wallets are refused, because an operator may have delegated energy to them by hand.
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

/**
 * A collection goes to a wallet. Funding and transfers to cold storage come from a wallet. Funding sends native coin or
 * resources, never a token.
 */
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

/** Refuses the zero address, precompiled contracts, token contracts and the sender itself, for every client. */
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

/**
 * The approval of a second person: payouts and transfers to cold storage alone can need one, because the keys of their
 * destinations are not ours.
 */
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
  // A variant that offers a higher fee on a nonce that was signed before moves no further money. Its fee is within the
  // approved cap. It may be needed after the approval has expired, so the expiry is not checked.
  // mark: an-approval-outlasts-its-first-signature
  const isFurther = intent.family === 'evm' && state.subjects.has(subjectKey(intent));
  const approved = { ...facts, kind, payoutId: id, chainId };
  const problem = approvalProblem(approval, approved, policy, isFurther ? null : nowMs);
  if (problem !== null) return problem;
  // On Tron a rebuilt transaction could pay a second time. The signer cannot know whether the first was included: a
  // person has to decide that.
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
