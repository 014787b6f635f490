// Gas for collecting a token from deposit addresses, by method, against a bare funding and transfer for each address.
import { amountOf, zero } from '@ducat/core/money/amount';
import { createFaucet } from '@ducat/devnet/evm/faucet';
import { callRpc } from '@ducat/devnet/evm/json-rpc';
import { testAccount } from '@ducat/devnet/evm/test-accounts';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { realWorld } from '@ducat/gateway/runtime/world';
import { insertTestOrder } from '@ducat/testkit/fixtures';
import type { Figure } from '../measure.ts';
import { median, whole } from '../rounds.ts';
import { DEPOSITS, type PayoutPlace, USDT_ID } from './payout-place.ts';

const WITHIN_MS = 600_000;
const UNITS = 100_000_000n;
/** Accounts of the node that are used like deposit addresses. */
const BARE = [3, 4, 5, 6, 7];

type Hex = `0x${string}`;

export async function measureCollections(place: PayoutPlace): Promise<readonly Figure[]> {
  const floor = await bareGas(place);
  const deposits = await place.database.reader.read<{ address: Hex }>(
    `SELECT address FROM addresses WHERE app_id = $1 AND family = 'evm' AND purpose <> 'wallet' AND trade_no IS NULL
     ORDER BY derivation_index DESC LIMIT $2`,
    [place.appId, DEPOSITS],
  );
  await collect(place, { name: 'collections', addresses: deposits.map(({ address }) => address) });
  const orders: Hex[] = [];
  for (let order = 0; order < DEPOSITS; order++) orders.push(await insertOrder(place, order));
  await collect(place, { name: 'sweeps', addresses: orders, sponsored: true });
  return gasByMethod(place, floor);
}

interface Collecting {
  readonly name: string;
  readonly addresses: readonly Hex[];
  readonly sponsored?: boolean;
}

/** Pays all the addresses before the gateway reads any of it, and waits until each is empty. */
async function collect(
  place: PayoutPlace,
  { name, addresses, sponsored = false }: Collecting,
): Promise<void> {
  const { database, token, faucet } = place;
  for (const address of addresses) await faucet.mintToken(token, address, UNITS);
  const gateway = await place.startGateway(name, ['watcher', 'payer', 'collector'], sponsored);
  try {
    const isDone = async () => {
      const [row] = await database.reader.read<{ count: string }>(
        `SELECT count(*) FROM collections JOIN addresses USING (address_id)
         WHERE state = 'collected' AND address = ANY ($1::text[])`,
        [addresses],
      );
      return Number(row?.count ?? 0) >= addresses.length;
    };
    await waitUntil(`${name} to be done`, isDone, { timeoutMs: WITHIN_MS, everyMs: 250 });
  } finally {
    await gateway.stop();
  }
}

/** Inserts an order for the amount that it is going to be paid, and returns its address. Only ended orders are swept. */
async function insertOrder({ database, appId }: PayoutPlace, order: number): Promise<Hex> {
  const terms = {
    due: amountOf(USDT_ID, UNITS),
    collected: zero(USDT_ID),
    timeExpire: Math.floor(realWorld.nowMs() / 1_000) + 86_400,
  };
  const change = { tradeNo: `ord_${order}`, appId, currencyId: USDT_ID, terms };
  const { address } = await insertTestOrder(database, change);
  return `0x${address.slice(2)}`;
}

/** The median gas of a funding and a transfer to the wallet, which already holds the token. */
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
       JOIN outgoing_transactions o ON o.subject_id = c.sweep_id OR o.subject_id LIKE c.collection_id || '%'
     WHERE o.tx_id IS NOT NULL AND o.subject_kind IN ('collection', 'funding')`,
    [],
  );
  const byMethod = new Map<string, { transactions: Set<string>; collections: Set<string> }>();
  for (const { method, collection_id: id, tx_id: txId } of rows) {
    const sum = byMethod.get(method) ?? { transactions: new Set<string>(), collections: new Set<string>() };
    byMethod.set(method, sum);
    sum.transactions.add(txId);
    sum.collections.add(id);
  }
  const sums = [...byMethod].map(async ([method, { transactions, collections }]) => {
    const gas = await Promise.all([...transactions].map((txId) => gasOf(node.rpcUrl, txId)));
    return { method, gas: gas.reduce((sum, one) => sum + one, 0), transactions, collections };
  });
  return (await Promise.all(sums)).map(({ method, gas, transactions, collections }) => ({
    what: `collection of a token by method "${method}", by bare funding and transfer`,
    seen: `${collections.size} by ${transactions.size} transactions, ${whole(gas / collections.size)} gas each by ${whole(floor)}`,
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
