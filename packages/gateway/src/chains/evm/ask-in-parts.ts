// Many questions to a node whose answers together may be too much: in parts, halved until each gets through.
import type { Rpc, RpcRequest } from './rpc.ts';
import { TooMuch } from '../endpoint/too-much.ts';

const firstPart = 32;

/**
 * The results in the order asked; undefined where one answer alone is too much. Throws what `batch` throws, also where
 * time ran out, and Outage where the node stopped answering anything, as neither is a matter of size.
 */
export async function askInParts(rpc: Rpc, requests: readonly RpcRequest[]): Promise<readonly unknown[]> {
  const results: unknown[] = [];
  for (let start = 0; start < requests.length; start += firstPart) {
    results.push(...(await askOrHalve(rpc, requests.slice(start, start + firstPart))));
  }
  return results;
}

/** Goes five levels deep, as a part has 32 questions. */
async function askOrHalve(rpc: Rpc, requests: readonly RpcRequest[]): Promise<readonly unknown[]> {
  try {
    return await rpc.batch(requests);
  } catch (error) {
    if (!(error instanceof TooMuch) || error.isLate) throw error;
  }
  await rpc.call('eth_blockNumber', []);
  if (requests.length === 1) return [undefined];
  const middle = Math.ceil(requests.length / 2);
  const first = await askOrHalve(rpc, requests.slice(0, middle));
  return [...first, ...(await askOrHalve(rpc, requests.slice(middle)))];
}
