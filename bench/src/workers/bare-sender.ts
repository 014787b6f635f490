// The floor of payouts: the same transfers, signed and sent by a loop that stores nothing.
import { createFaucet } from '@ducat/devnet/evm/faucet';
import { callRpcHex } from '@ducat/devnet/evm/json-rpc';
import { testAccount } from '@ducat/devnet/evm/test-accounts';
import type { Rate } from '../rounds.ts';
import { serveParent } from '../worker.ts';

const LOOK_MS = 20;

interface BareSends {
  readonly rpcUrl: string;
  readonly chainId: number;
  readonly token: `0x${string}`;
  readonly recipients: readonly `0x${string}`[];
  /** At most so many are sent and not yet in a block. */
  readonly most: number;
}

const handlers = {
  /** Sends all transfers and waits until all of them are in blocks. */
  async send({ rpcUrl, chainId, token, recipients, most }: BareSends): Promise<Rate> {
    const { privateKey, address } = testAccount(1);
    const faucet = createFaucet({ rpcUrl, chainId, privateKey });
    const mined = async () =>
      Number(await callRpcHex(rpcUrl, 'eth_getTransactionCount', [address, 'latest']));
    const before = await mined();
    const startMs = performance.now();
    let done = 0;
    for (const [sent, recipient] of recipients.entries()) {
      while (sent - done >= most) done = await later(mined, before);
      await faucet.sendToken(token, recipient, 1n);
    }
    while (done < recipients.length) done = await later(mined, before);
    return { count: recipients.length, seconds: (performance.now() - startMs) / 1000 };
  },
};

async function later(mined: () => Promise<number>, before: number): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  return (await mined()) - before;
}

export type BareSender = typeof handlers;

serveParent(handlers);
