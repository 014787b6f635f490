// What the watcher says of a chain's providers and blocks, in the log and to its observer.
import type { EndedOutgoing } from '../../flows/outgoing/settle-outgoing.ts';
import type { Settled } from '../../flows/blocks/settle.ts';
import type { LeasedChain } from './parts.ts';

/** What was logged about providers: why the circuit of each is not closed, and the gaps of the chain. */
export interface Reported {
  readonly reasons: ReadonlyMap<string, string>;
  readonly gaps: readonly string[];
}

/** The state at the start; its gaps are logged there. */
export function reportedAtStart({ chain }: Pick<LeasedChain, 'chain'>): Reported {
  return { reasons: new Map(), gaps: chain.gaps() };
}

/** Logs what has changed since `before`; returns the state that is logged now. */
export function reportProviders({ chain, log, observer }: LeasedChain, before: Reported): Reported {
  const { name } = chain.definition;
  const providers = chain.providers();
  observer.onProviders(name, providers);
  const reasons = new Map<string, string>();
  for (const { provider, circuit, reason } of providers) {
    if (circuit !== 'closed') reasons.set(provider, reason ?? 'no reason is known');
    const now = reasons.get(provider);
    if (now === before.reasons.get(provider)) continue;
    if (now === undefined) log.info({ chain: name, provider }, 'circuit closed: the provider is used again');
    else log.warn({ chain: name, provider, circuit, reason: now }, 'the circuit of a provider is not closed');
  }
  const gaps = chain.gaps();
  for (const gap of gaps) if (!before.gaps.includes(gap)) log.warn({ chain: name, gap }, 'new gap');
  for (const gap of before.gaps) if (!gaps.includes(gap)) log.info({ chain: name, gap }, 'gap is over');
  return { reasons, gaps };
}

/** Reports what was settled, with a line for each transfer that a person should look at. */
export function reportSettled({ chain, log, observer }: LeasedChain, settled: Settled): void {
  const { name } = chain.definition;
  const { transfers, unassigned, outflows, absurd } = settled;
  observer.onTransfers(name, { seen: 0, settled: transfers });
  observer.onNoted(name, {
    unassigned: unassigned.length,
    outflows: outflows.length,
    absurd: absurd.length,
  });
  for (const one of unassigned) log.warn({ chain: name, ...one }, 'money came that counts for no order');
  for (const one of outflows) log.error({ chain: name, ...one }, 'money left an address of ours');
  for (const one of absurd)
    log.error({ chain: name, ...one }, 'a transfer is too large, its currency is suspended');
}

/** Logs each outgoing transaction that is final. A person has to look at one that moved something else. */
export function reportEnded({ chain, log }: LeasedChain, ended: readonly EndedOutgoing[]): void {
  for (const { outgoingId, subjectKind, subjectId, verdict, inclusion } of ended) {
    const { txId, block } = inclusion;
    const fields = { chain: chain.definition.name, outgoingId, subjectKind, subjectId, verdict, txId };
    const level = verdict === 'mismatched' ? 'error' : verdict === 'failed' ? 'warn' : 'info';
    log[level]({ ...fields, block: block.number }, 'an outgoing transaction is final');
  }
}
