// The transactions of a block as a provider shows them, which give the root of the header that it proves.
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
  /** Null where the provider cannot show them, or not so that they could be hashed. */
  readonly transactions: readonly DecodedTransaction[] | null;
}

/** Every node can show it: nobody could pay anything into the first block after genesis of a public chain. */
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
 * A payer can have bytes mined of which the node can make no JSON, or too much. Throws the error where the provider does
 * not prove the header, or shows no other block either: then it is not this block but the provider that is broken.
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
  // Another provider may have shown it meanwhile.
  return { proven, transactions: provenBody(bodies, proven) };
}

/** Null where what the JSON shows cannot be hashed: results can hold what nodes have a name for and we do not. */
function decodeBody(
  { header, transactionsRoot: root }: ProvenHeader,
  answer: Json,
): readonly DecodedTransaction[] | null {
  const { number } = header;
  // The first block holds what the chain began with: it moves nothing, and has no receipts.
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
