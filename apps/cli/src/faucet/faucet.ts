// Sends coins of the local chains in each way that integrators have to be ready for.
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { CommandError } from '../command-error.ts';
import { type Payer, payerOf } from '../orders/send-coins.ts';
import type { DemoChain, DemoCurrency } from '../state/demo-record.ts';
import type { FaucetRequest, Way } from './faucet-request.ts';

export interface FaucetDeps {
  readonly chains: readonly DemoChain[];
  /** Takes the newest blocks of a chain back, with the transactions in them. */
  readonly rollBack: (chain: string, depth: number) => Promise<void>;
}

/** Returns the id of the transaction that pays, or "" where it is sent later. */
export type Faucet = (request: FaucetRequest) => Promise<string>;

const LONGEST_WAIT_S = 15 * 60;
const MAX_WAITING = 20;

export function createFaucet({ chains, rollBack }: FaucetDeps): Faucet {
  const payers = new Map(chains.map((chain) => [chain.chain, payerOf(chain)]));
  const payerFor = ({ chain }: DemoChain): Payer => {
    const payer = payers.get(chain);
    if (payer === undefined) throw new CommandError(`the ${chain} chain has no payer`);
    return payer;
  };
  const ways: Readonly<Record<Way, Faucet>> = {
    plain: ({ chain, currency, to, units }) => payerFor(chain).send(currency, to, units),
    contract: ({ chain, currency, to, units }) => payerFor(chain).sendThroughContract(currency, to, units),
    'other-token': ({ chain, currency, to }) => {
      const other = otherCurrency(chain, currency);
      return payerFor(chain).send(other, to, 10n ** BigInt(other.decimals));
    },
    reorg: async ({ chain, currency, to, units }) => {
      await takeBack(chain, await payerFor(chain).send(currency, to, units));
      // The nonces of before are of blocks that are gone.
      payers.set(chain.chain, payerOf(chain));
      return payerFor(chain).send(currency, to, units);
    },
  };
  /** The transaction is seen for a while, then its block is taken back, and it is missed for a while. */
  const takeBack = async (chain: DemoChain, txid: string): Promise<void> => {
    const payer = payerFor(chain);
    const minedIn = await payer.minedIn(txid);
    await waitUntil('two more blocks', async () => (await payer.headNumber()) >= minedIn + SEEN_FOR_BLOCKS);
    const head = await payer.headNumber();
    await rollBack(chain.chain, head - minedIn + 1);
    await waitUntil('other blocks', async () => (await payer.headNumber()) >= head + MISSED_FOR_BLOCKS);
  };
  let waiting = 0;
  return async (request) => {
    const waitS = request.notBefore - Date.now() / 1_000;
    if (waitS <= 0) return ways[request.way](request);
    if (waitS > LONGEST_WAIT_S) throw new CommandError(`not_before is more than ${LONGEST_WAIT_S} s away`);
    if (waiting >= MAX_WAITING) throw new CommandError('too many payments wait already');
    waiting += 1;
    const timer = setTimeout(() => {
      waiting -= 1;
      // A payment that fails is one that does not come; the page shows that.
      ways[request.way](request).catch(() => undefined);
    }, waitS * 1_000);
    // What waits keeps no process alive.
    timer.unref();
    return '';
  };
}

/** Fewer than any local chain takes to finality. */
const SEEN_FOR_BLOCKS = 2;

/**
 * The payment stays missing until the new branch is so many blocks above the old head: a watcher may notice the reorg only
 * when the new branch is as long as the old one. An open page is renewed each second and a block takes one or two, so the
 * page shows that the payment is missing.
 */
const MISSED_FOR_BLOCKS = 4;

/** The chain's own coin, or for that its first token. */
function otherCurrency({ chain, currencies }: DemoChain, asked: DemoCurrency): DemoCurrency {
  const other = currencies.find(
    ({ currency_id: id, off_reason: reason }) => id !== asked.currency_id && reason === '',
  );
  if (other === undefined) throw new CommandError(`${chain} has no other currency`);
  return other;
}
