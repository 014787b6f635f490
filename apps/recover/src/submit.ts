// Signs transfers, broadcasts them, and waits until blocks include them, so that the next group can rely on them.
import type { Currency } from '@ducat/core/chain/currency';
import type { Amount } from '@ducat/core/money/amount';
import { buildIntent, type SendingPlace } from '@ducat/core/outgoing/build-intent';
import { TRON_LIFE_MS } from '@ducat/core/outgoing/outgoing';
import type { SendingTerms } from '@ducat/core/outgoing/terms';
import type { KeyPath } from '@ducat/core/signing/key-path';
import type { Keyring } from '@ducat/signer/signing/keyring';
import { Outage } from '@ducat/gateway/runtime/outage';
import { type Node, readHead } from './open-node.ts';
import { RecoverError } from './recover-error.ts';

export interface Transfer {
  readonly key: KeyPath;
  readonly from: string;
  readonly to: string;
  readonly currency: Currency;
  readonly amount: Amount;
  readonly terms: SendingTerms;
  /** The most that the transfer may cost. */
  readonly most: Amount;
}

export type Submitted = Transfer & { readonly txId: string; readonly status: 'succeeded' | 'failed' };

/** The longest wait for inclusion, measured by block times. */
const WAIT_MS = 15 * 60_000;
const MOST_LOOKS = 20_000;

/**
 * Resolves once blocks include all transfers. Throws RecoverError where one is not included in time; nothing more is
 * sent then.
 */
export async function submitAll(
  node: Node,
  keyring: Keyring,
  transfers: readonly Transfer[],
): Promise<readonly Submitted[]> {
  if (transfers.length === 0) return [];
  const head = await readHead(node);
  const places = await placesOf(node, head, transfers);
  const sent = new Map<string, Transfer>();
  for (const [index, { key, ...transfer }] of transfers.entries()) {
    const place = places[index];
    if (place === undefined) throw new Error('each transfer has a place');
    const subject = { kind: 'cold', id: 'recover', approval: null } as const;
    const intent = buildIntent({ chain: node.definition, subject, key, place, ...transfer });
    const { bytes, txId } = keyring.sign(intent);
    const { outcome, text } = await node.writer.broadcast(bytes);
    if (outcome === 'refused') throw notSent(`the node refuses ${txId}: ${text}`);
    sent.set(txId, { key, ...transfer });
  }
  return included(node, sent, head);
}

/**
 * The nonces of each sender go on from the newest block. Transactions that an earlier run left pending are thereby
 * replaced, not repeated.
 */
async function placesOf(
  { definition, reader, writer, world }: Node,
  head: { readonly number: number; readonly hash: string; readonly time: number },
  transfers: readonly Transfer[],
): Promise<readonly SendingPlace[]> {
  if (definition.family === 'tron') {
    const reference = await reader.finalBlock(head.number);
    if (reference === null) throw new Outage('nothing is final yet', { kind: 'not-yet' });
    const expirationMs = head.time * 1000 + TRON_LIFE_MS;
    return transfers.map((_, index) => ({
      family: 'tron',
      reference,
      expirationMs,
      timestampMs: world.nowMs() + index,
    }));
  }
  const places: SendingPlace[] = [];
  const next = new Map<string, number>();
  for (const { from } of transfers) {
    const nonce = next.get(from) ?? (await writer.nextNonce(from, head)) ?? 0;
    next.set(from, nonce + 1);
    places.push({ family: 'evm', nonce });
  }
  return places;
}

async function included(
  { definition, reader, pause }: Node,
  sent: ReadonlyMap<string, Transfer>,
  head: { readonly number: number; readonly time: number },
): Promise<readonly Submitted[]> {
  const done: Submitted[] = [];
  const open = new Set(sent.keys());
  let number = head.number + 1;
  for (let looks = 0; looks < MOST_LOOKS && open.size > 0; looks++) {
    const block = await reader.block(number, { currencies: [], txIds: open });
    if (block === null) {
      await pause(Math.max(1, definition.blockTimeMs / 2));
      continue;
    }
    for (const { txId, status } of block.inclusions) {
      const transfer = sent.get(txId);
      if (transfer !== undefined && open.delete(txId)) done.push({ ...transfer, txId, status });
    }
    if ((block.header.time - head.time) * 1000 > WAIT_MS) break;
    number += 1;
  }
  const [first] = open;
  if (first === undefined) return done;
  throw notSent(`${first} is in no block after ${WAIT_MS / 60_000} minutes; look at it, then run this again`);
}

function notSent(message: string): RecoverError {
  return new RecoverError(`nothing more is sent: ${message}`);
}
