// The transactions of a block as an endpoint shows them, and whether they give the root of the header that it proves.
import { LyingNode } from '../endpoint/lying-node.ts';
import { askBlock } from './ask-block.ts';
import { provenHeader, type ProvenHeader } from './block-header.ts';
import { headerAt, missing, type TronEndpoint, type View } from './endpoint.ts';
import type { Body } from './judge-block.ts';
import type { NodeApi } from './node-api.ts';
import { digestOf, type Json, listOf, recordOf } from './node-json.ts';
import { type RawTransaction, rawTransaction } from './raw-transaction.ts';
import { transactionsRoot } from './block/transactions-root.ts';
import { sha256 } from './wire/sha256.ts';

export interface ToldBody {
  readonly proven: ProvenHeader;
  readonly body: Body;
  /** The digest of all that was told of transactions that do not give the root; null where they do. */
  readonly unproven: string | null;
}

/**
 * Of the view that cannot change the header is enough where its root has proven the transactions before, whoever showed
 * them. Throws BehindHead where the view ends below the number, UnshownBlock where they are not shown, LyingNode where
 * something does not fit.
 */
export async function tellBody(
  endpoint: TronEndpoint,
  view: View,
  api: NodeApi,
  number: number,
): Promise<ToldBody> {
  if (view === 'solid' && endpoint.provenBodies.has(number)) {
    const proven = await headerAt(api, number);
    if (proven === null) throw await missing(endpoint, view, number);
    const body = endpoint.provenBodies.of(proven);
    if (body !== null) return { proven, body, unproven: null };
  }
  const answer = await askBlock(endpoint, view, api, number);
  const proven = provenHeader(answer);
  if (proven === null) throw await missing(endpoint, view, number);
  if (proven.header.number !== number)
    throw new LyingNode(`was asked for block ${number} and answered with ${proven.header.number}`);
  const told = readBody(endpoint, proven, answer);
  const place = { view, hash: proven.header.hash, part: 'body' } as const;
  if (told.body.isProven) endpoint.unshown.forget(place);
  else endpoint.unshown.noteShown(place);
  return told;
}

export function noRoot(number: number): string {
  return `the transactions of block ${number} do not give its root`;
}

function readBody({ provenBodies }: TronEndpoint, proven: ProvenHeader, answer: unknown): ToldBody {
  const { number } = proven.header;
  // The first block holds what the chain began with: it moves nothing, and has no receipts.
  const told = number === 0 ? [] : listOf(recordOf(answer, 'a block')['transactions'], 'transactions');
  const transactions = told.map(rawTransaction);
  const isProven = number === 0 || givesRoot(transactions, proven);
  // Without a single one there is nothing that could not be shown as it is, only something that is held back.
  if (!isProven && told.length === 0) throw new LyingNode(noRoot(number));
  const body = provenBodies.keep(proven, { transactions, isProven });
  return { proven, body, unproven: isProven ? null : evidenceOf(told) };
}

function givesRoot(
  transactions: readonly RawTransaction[],
  { transactionsRoot: root }: ProvenHeader,
): boolean {
  const leaves = transactions.flatMap(({ bytes }) => (bytes === null || bytes.length === 128 ? [] : bytes));
  return leaves.length === transactions.length && transactionsRoot(leaves.map(sha256)) === root;
}

/** What two endpoints have to tell alike of transactions that nothing proves: all that they are hashed from. */
function evidenceOf(told: readonly Json[]): string {
  return digestOf(told.map(({ raw_data_hex, signature, ret }) => ({ raw_data_hex, signature, ret })));
}
