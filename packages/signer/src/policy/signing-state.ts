// What was signed, according to the signing log. Rebuilt from the log at every start, and from nothing else.
import type { TransferIntent } from '@ducat/core/signing/transfer-intent';
import { createSpendings, type Spendings } from './spendings.ts';
import { factsOf, intentHash, subjectKey } from './transfer-facts.ts';

/** A signed intent and the address of the key that signed it. */
export interface SignedIntent {
  readonly intent: TransferIntent;
  readonly from: string;
}

export interface SigningState {
  /** All that was signed for a subject, the oldest first. */
  readonly subjects: Map<string, SignedIntent[]>;
  /** The subject that each nonce of each of our addresses belongs to. */
  readonly nonces: Map<string, string>;
  /** The subject for which each nonce of each deposit address was authorised for a sweeper. */
  readonly authorisations: Map<string, string>;
  /** On Tron: the one intent that each approval was used for, by hash. */
  readonly usedApprovals: Map<string, string>;
  readonly spendings: Spendings;
}

export function emptyState(): SigningState {
  return {
    subjects: new Map(),
    nonces: new Map(),
    authorisations: new Map(),
    usedApprovals: new Map(),
    spendings: createSpendings(),
  };
}

/** The key of a nonce; null where the family has none. */
export function nonceKey({ intent, from }: SignedIntent): string | null {
  return intent.family === 'evm' ? `${intent.chainId}/${from}/${intent.nonce}` : null;
}

/** The keys of the nonces that a sweep's authorisations spend. */
export function authorisedNonces(intent: TransferIntent): readonly string[] {
  if (intent.family !== 'evm' || intent.sweeping?.type !== 'sweep') return [];
  const { chainId, sweeping } = intent;
  return sweeping.from.flatMap(({ address, nonce }) =>
    nonce === null ? [] : [`${chainId}/${address}/${nonce}`],
  );
}

/** The name under which an asset of a chain is limited, by its contract, or under which the chain's `fees` are. */
export function assetName({ family, chainId }: TransferIntent, contract: string | null): string {
  return `${family}/${chainId}/${contract ?? 'native'}`;
}

/** The name of what an intent's amount counts against: its asset, or the stake that is delegated. */
export function spentName(intent: TransferIntent): string {
  const { contract, movesMoney } = factsOf(intent);
  return assetName(intent, movesMoney ? contract : 'stake');
}

/**
 * What an intent adds to the sums that its limits bound. On EVM only one variant of a nonce is mined: the first variant
 * counts whole, and a later one counts only by how much more fee it offers. On Tron each transaction could be included,
 * so each counts whole.
 */
export function spendingOf(state: SigningState, signed: SignedIntent): { amount: bigint; fee: bigint } {
  const { intent } = signed;
  const { baseUnits, fee, movesMoney } = factsOf(intent);
  // Money that leaves our keys is counted: payouts and transfers to cold storage, which are the subjects with an
  // `approval`. Stake that is delegated is counted as well, because it is lent.
  const leaves = movesMoney ? 'approval' in intent.subject : isDelegating(intent);
  const before = intent.family === 'evm' ? (state.subjects.get(subjectKey(intent)) ?? []) : [];
  const offered = before
    .map((each) => factsOf(each.intent).fee)
    .reduce((most, each) => (each > most ? each : most), 0n);
  return {
    amount: leaves && before.length === 0 ? baseUnits : 0n,
    fee: fee > offered ? fee - offered : 0n,
  };
}

function isDelegating(intent: TransferIntent): boolean {
  return intent.family === 'tron' && intent.action.type === 'delegate';
}

/** Adds a signed intent to the state. */
export function addSigned(state: SigningState, signed: SignedIntent, atMs: number): void {
  const { intent } = signed;
  const key = subjectKey(intent);
  const { amount, fee } = spendingOf(state, signed);
  state.spendings.add(spentName(intent), amount, atMs);
  state.spendings.add(assetName(intent, 'fees'), fee, atMs);
  const nonce = nonceKey(signed);
  if (nonce !== null) state.nonces.set(nonce, key);
  for (const spent of authorisedNonces(intent)) state.authorisations.set(spent, key);
  const { subject } = intent;
  if ('approval' in subject && subject.approval !== null && intent.family === 'tron') {
    state.usedApprovals.set(subject.approval.signature, intentHash(intent));
  }
  state.subjects.set(key, [...(state.subjects.get(key) ?? []), signed]);
}
