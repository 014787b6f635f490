// What was signed, as the log says: rebuilt from it at every start, and never from anything else.
import type { TransferIntent } from '@ducat/core/signing/transfer-intent';
import { createSpendings, type Spendings } from './spendings.ts';
import { factsOf, intentHash, subjectKey } from './transfer-facts.ts';

/** A signed intent, and whose key it was. */
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

/** Names what is limited: an asset of a chain by its contract, or `fees`. */
export function assetName({ family, chainId }: TransferIntent, contract: string | null): string {
  return `${family}/${chainId}/${contract ?? 'native'}`;
}

/** Names what the limits of an intent's amount count: its asset, or the stake that is delegated. */
export function spentName(intent: TransferIntent): string {
  const { contract, movesMoney } = factsOf(intent);
  return assetName(intent, movesMoney ? contract : 'stake');
}

/**
 * What an intent adds to what its limits count. Of the variants of one nonce a single one is mined, so the first counts
 * whole and later ones by what they offer more; on Tron each could be in a block, so each counts whole.
 */
export function spendingOf(state: SigningState, signed: SignedIntent): { amount: bigint; fee: bigint } {
  const { intent } = signed;
  const { baseUnits, fee, movesMoney } = factsOf(intent);
  // What may need an approval leaves our keys: payouts, and what goes to cold storage. Stake that is delegated is lent.
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

/** Enters what was signed. */
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
