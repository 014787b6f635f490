// What emptying deposit addresses of a token costs in gas, by method, against funding each and transferring, done bare.
import { createFaucet } from '@ducat/devnet/evm/faucet';
import { callRpc } from '@ducat/devnet/evm/json-rpc';
import { testAccount } from '@ducat/devnet/evm/test-accounts';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import type { Figure } from '../measure.ts';
import { median, whole } from '../rounds.ts';
import { DEPOSITS, type PayoutPlace } from './payout-place.ts';

const WITHIN_MS = 600_000;
const UNITS = 100_000_000n;
/** Accounts of the node that stand for deposit addresses. */
const BARE = [3, 4, 5, 6, 7];

type Hex = `0x${string}`;

export async function measureCollections(place: PayoutPlace): Promise<readonly Figure[]> {
  const floor = await bareGas(place);
  const { database, token, faucet, appId } = place;
  const deposits = await database.reader.read<{ address: Hex }>(
    `SELECT address FROM addresses WHERE app_id = $1 AND family = 'evm' AND purpose <> 'wallet'
     ORDER BY derivation_index LIMIT $2`,
    [appId, DEPOSITS],
  );
  for (const { address } of deposits) await faucet.mintToken(token, address, UNITS);
  const gateway = await place.startGateway('collections', ['watcher', 'payer', 'collector']);
  try {
    const isDone = async () => {
      const [row] = await database.reader.read<{ count: string }>(
        "SELECT count(*) FROM collections WHERE state = 'collected'",
        [],
      );
      return Number(row?.count ?? 0) >= deposits.length;
    };
    await waitUntil('all collections to be done', isDone, { timeoutMs: WITHIN_MS, everyMs: 250 });
  } finally {
    await gateway.stop();
  }
  return gasByMethod(place, floor);
}

/** Gas of a funding and a transfer to the wallet, which holds the token already; the median. */
async function bareGas({ node, token, faucet, wallet }: PayoutPlace): Promise<number> {
  const costs: number[] = [];
  for (const place of BARE) {
    const { privateKey, address } = testAccount(place);
    await faucet.mintToken(token, address, UNITS);
    const funding = await faucet.sendNative(address, 1n);
    await faucet.outcome(funding);
    const own = createFaucet({ rpcUrl: node.rpcUrl, chainId: node.chainId, privateKey });
    const transfer = await own.sendToken(token, wallet, UNITS);
    await own.outcome(transfer);
    costs.push((await gasOf(node.rpcUrl, funding)) + (await gasOf(node.rpcUrl, transfer)));
  }
  return median(costs);
}

async function gasByMethod({ node, database }: PayoutPlace, floor: number): Promise<readonly Figure[]> {
  const rows = await database.reader.read<{ method: string; collection_id: string; tx_id: string }>(
    `SELECT c.method, c.collection_id, o.tx_id FROM collections c
       JOIN outgoing_transactions o ON o.subject_id LIKE c.collection_id || '%'
     WHERE o.tx_id IS NOT NULL AND o.subject_kind IN ('collection', 'funding')`,
    [],
  );
  const byMethod = new Map<string, { gas: number; collections: Set<string> }>();
  for (const { method, collection_id: id, tx_id: txId } of rows) {
    const sum = byMethod.get(method) ?? { gas: 0, collections: new Set<string>() };
    byMethod.set(method, sum);
    sum.gas += await gasOf(node.rpcUrl, txId);
    sum.collections.add(id);
  }
  return [...byMethod].map(([method, { gas, collections }]) => ({
    what: `collection of a token by method "${method}", by bare funding and transfer`,
    seen: `${collections.size} of them, ${whole(gas / collections.size)} gas each by ${whole(floor)}`,
    value: (gas / collections.size / floor).toFixed(2),
    goal: '',
    met: null,
  }));
}

async function gasOf(rpcUrl: string, txId: string): Promise<number> {
  const receipt = await callRpc(rpcUrl, 'eth_getTransactionReceipt', [txId]);
  if (typeof receipt !== 'object' || receipt === null || !('gasUsed' in receipt))
    throw new Error(`there is no receipt of ${txId}`);
  return Number(receipt.gasUsed);
}
