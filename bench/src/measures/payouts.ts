// Payouts a second from one wallet, compared with bare signed sends to the same node; and the gas of collections.
import { createHash } from 'node:crypto';
import { nativeCurrency } from '@ducat/core/chain/chain';
import { amountOf } from '@ducat/core/money/amount';
import { MOST_PENDING } from '@ducat/core/outgoing/outgoing';
import { callRpcHex } from '@ducat/devnet/evm/json-rpc';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { createPayout } from '@ducat/gateway/flows/payouts/create-payout';
import { newPayoutNo } from '@ducat/gateway/runtime/ids';
import { realWorld } from '@ducat/gateway/runtime/world';
import { fundApp } from '@ducat/testkit/api/paying-out';
import type { Bench, Figure, Scale } from '../measure.ts';
import { measureCollections } from '../payouts/measure-collections.ts';
import { openPayoutPlace, type PayoutPlace, USDT_ID } from '../payouts/payout-place.ts';
import { compared, inTurns, type Rate, ratioFigure, withoutGoal } from '../rounds.ts';
import { startWorker, type Worker } from '../worker.ts';
import type { BareSender } from '../workers/bare-sender.ts';

/** Payouts in one half of a pair, for each second that the half lasts on a small machine. */
const PAYOUTS_A_SECOND = 32;
const WITHIN_MS = 120_000;

export const payouts: Bench = {
  name: 'payouts',
  about: 'payouts of one wallet by bare signed sends to the same node; what collections cost in gas',
  async run(stage, scale) {
    const place = await openPayoutPlace(stage);
    const sender = startWorker<BareSender>('bare-sender');
    try {
      return [...(await measureWallet(place, sender, scale)), ...(await measureCollections(place))];
    } finally {
      await sender.stop();
      await place.close();
    }
  },
};

async function measureWallet(
  place: PayoutPlace,
  sender: Worker<BareSender>,
  { rounds, seconds }: Scale,
): Promise<readonly Figure[]> {
  const { node, token, database, appId } = place;
  const count = PAYOUTS_A_SECOND * seconds;
  await fundApp(database, appId, USDT_ID, 10n ** 15n);
  const gateway = await place.startGateway('payouts', ['watcher', 'payer']);
  let round = 0;
  const bare = (most: number) => async () => {
    const { rpcUrl, chainId } = node;
    return sender.ask('send', {
      rpcUrl,
      chainId,
      token,
      recipients: recipientsOf(`bare-${++round}`, count),
      most,
    });
  };
  try {
    const rates = await inTurns(rounds, {
      floor: bare(MOST_PENDING),
      ours: () => payOut(place, recipientsOf(`ours-${++round}`, count)),
      unbounded: bare(count),
    });
    const free = compared(rates.ours, rates.unbounded);
    return [
      ratioFigure(
        `payouts of one wallet by bare sends, ${MOST_PENDING} unmined at most`,
        compared(rates.ours, rates.floor),
        0.5,
      ),
      withoutGoal(ratioFigure('the same by bare sends without that bound', free, 0)),
    ];
  } finally {
    await gateway.stop();
  }
}

/** Makes these payouts and waits until all of them are in blocks. */
async function payOut(place: PayoutPlace, recipients: readonly string[]): Promise<Rate> {
  const { node, wallet, database } = place;
  const mined = async () =>
    Number(await callRpcHex(node.rpcUrl, 'eth_getTransactionCount', [wallet, 'latest']));
  const before = await mined();
  await database.transact(async (tx) => {
    for (const to of recipients) {
      const { outcome } = await createPayout(tx, payoutTo(place, to));
      if (outcome !== 'created') throw new Error(`a payout is ${outcome}`);
    }
  });
  const startMs = performance.now();
  const isDone = async () => (await mined()) - before >= recipients.length;
  await waitUntil('all payouts to be in blocks', isDone, { timeoutMs: WITHIN_MS, everyMs: 20 });
  return { count: recipients.length, seconds: (performance.now() - startMs) / 1000 };
}

function payoutTo({ definition, appId }: PayoutPlace, toAddress: string): Parameters<typeof createPayout>[1] {
  const currency = definition.currencies.find(({ currencyId }) => currencyId === USDT_ID);
  if (currency === undefined) throw new Error('USDT is not on this chain');
  const native = (wei: bigint) => amountOf(nativeCurrency(definition).currencyId, wei);
  const tradeNo = newPayoutNo(realWorld);
  return {
    tradeNo,
    toAddress,
    appId,
    idempotencyKey: tradeNo,
    signature: tradeNo,
    inputHash: '',
    chain: definition,
    currency,
    amount: amountOf(USDT_ID, 1_000n),
    gas: amountOf(USDT_ID, 5n),
    networkFee: native(10n ** 14n),
    feeCap: native(10n ** 17n),
    value: 0n,
    callbackUrl: null,
    codeStep: undefined,
    nowMs: Date.now(),
  };
}

/** Addresses that were never used. */
function recipientsOf(name: string, count: number): readonly `0x${string}`[] {
  return Array.from({ length: count }, (_, place): `0x${string}` => {
    return `0x${createHash('sha256').update(`${name}/${place}`).digest('hex').slice(0, 40)}`;
  });
}
