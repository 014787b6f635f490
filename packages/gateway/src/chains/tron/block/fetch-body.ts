// The transactions of a block as a provider shows them, checked against the root in the header that it proves.
import { Outage } from '../../../runtime/outage.ts';
import { invalidAnswer } from '../../rpc/invalid-answer.ts';
import type { HttpApi } from '../wire/http-api.ts';
import type { Json } from '../wire/json.ts';
import { type DecodedTransaction, decodeTransaction, leafOf, rawBytesOf } from './decode-transaction.ts';
import { expectBlock, headerAt, provenHeader, type ProvenHeader } from './header.ts';
import { provenBody, type ProvenBodies } from './proven-bodies.ts';
import { transactionsRoot } from './transactions-root.ts';

export interface Body {
  readonly proven: ProvenHeader;
  /** Null where the provider cannot show the transactions, or shows fields that cannot be hashed. */
  readonly transactions: readonly DecodedTransaction[] | null;
}

/** A block that every node can show: no payer could write into the first block after genesis of a public chain. */
const plainBlock = 1;

/** Null where this view has no block there. Throws Outage 'invalid' where the transactions do not give the root. */
export async function fetchBody(api: HttpApi, number: number, bodies: ProvenBodies): Promise<Body | null> {
  if (bodies.has(number)) {
    const proven = await headerAt(api, number);
    if (proven === null) return null;
    const transactions = provenBody(bodies, proven);
    if (transactions !== null) return { proven, transactions };
  }
  let answer: Json;
  try {
    answer = await api('getblockbynum', { num: number });
  } catch (error) {
    return unprintableBody(api, number, bodies, error);
  }
  const proven = provenHeader(answer);
  if (proven === null) return null;
  expectBlock(proven, number);
  const transactions = decodeBody(proven, answer);
  if (transactions !== null) bodies.set(number, { proven, transactions });
  return { proven, transactions };
}

/**
 * A payer can have bytes mined of which a node can make no JSON, or too much. Throws the error where the provider does not
 * prove the header, or does not show another block either: then the provider is broken, and not this block.
 */
async function unprintableBody(
  api: HttpApi,
  number: number,
  bodies: ProvenBodies,
  error: unknown,
): Promise<Body> {
  if (!(error instanceof Outage) || error.kind !== 'invalid') throw error;
  const proven = await headerAt(api, number);
  if (proven === null) throw error;
  await api('getblockbynum', { num: plainBlock });
  // Another provider may have shown the transactions meanwhile.
  return { proven, transactions: provenBody(bodies, proven) };
}

/** Null where the JSON cannot be hashed: a result may hold a value that nodes have a name for and this version does not. */
function decodeBody(
  { header, transactionsRoot: root }: ProvenHeader,
  answer: Json,
): readonly DecodedTransaction[] | null {
  const { number } = header;
  // Block 0 holds the initial state of the chain: it moves nothing, and has no receipts.
  if (number === 0) return [];
  const transactions: DecodedTransaction[] = [];
  const leaves: string[] = [];
  for (const json of answer.get('transactions').asRecords('transactions')) {
    const raw = rawBytesOf(json);
    transactions.push(decodeTransaction(json, raw));
    const leaf = leafOf(json, raw);
    if (leaf !== null) leaves.push(leaf);
  }
  if (leaves.length < transactions.length) return null;
  if (transactionsRoot(leaves) !== root)
    throw invalidAnswer(`the transactions of block ${number} do not give its root`);
  return transactions;
}
