// Asks for a transfer from an address of ours. Only writes a row; nothing is broadcast here.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { Amount } from '@ducat/core/money/amount';
import type { Delegation } from '@ducat/core/outgoing/delegation';
import type { IntentSubject, Sweeping } from '@ducat/core/signing/transfer-intent';
import type { Tx } from '../../db/postgres/tx.ts';
import { ensureSender } from '../../db/tables/outgoing/senders.ts';
import { insertOutgoing } from '../../db/tables/outgoing/requests.ts';

export interface RequestOutgoing {
  readonly outgoingId: string;
  readonly chain: Pick<ChainDefinition, 'name' | 'family'>;
  readonly subject: IntentSubject;
  /** An address of ours, canonical as `to` is. */
  readonly from: string;
  readonly to: string;
  readonly amount: Amount;
  /** The most that it may cost, in the native currency. */
  readonly feeCap: Amount;
  /** Set where energy is delegated or taken back. The amount is then the stake, and `from` the wallet whose key signs. */
  readonly delegation?: Delegation | null;
  /** Set where addresses are swept to `to`, or the sweeper of `to` is deployed. `from` is then the gas wallet. */
  readonly sweeping?: Sweeping | null;
  readonly nowMs: number;
}

/** `repeated`: the subject has a transfer already, whatever its terms are. One subject is one transfer for ever. */
export type RequestedOutgoing = 'requested' | 'repeated' | 'not-our-address';

/** Called in the database transaction that writes the subject: either both are committed or neither is. */
export async function requestOutgoing(tx: Tx, request: RequestOutgoing): Promise<RequestedOutgoing> {
  const { chain, from, ...outgoing } = request;
  const senderId = await ensureSender(tx, { chain: chain.name, family: chain.family, address: from });
  if (senderId === null) return 'not-our-address';
  // mark: one-subject-one-transfer
  const isNew = await insertOutgoing(tx, { ...outgoing, senderId, chain: chain.name });
  return isNew ? 'requested' : 'repeated';
}
