// Sends coins of the local chains in each way that integrators have to be ready for.
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { CommandError } from '../command-error.ts';
import { type Payer, payerOf } from '../orders/send-coins.ts';
import type { DemoChain, DemoCurrency } from '../state/demo-record.ts';
import type { FaucetRequest, Way } from './faucet-request.ts';

export interface FaucetDeps {
  readonly chains: readonly DemoChain[];
  /** Removes the newest blocks of a chain, with the transactions in them. */
  readonly rollBack: (chain: string, depth: number) => Promise<void>;
}

/** Sends coins. Returns the id of the transaction, or "" where it is sent later. */
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
      // The cached nonces belong to blocks that are gone.
      payers.set(chain.chain, payerOf(chain));
      return payerFor(chain).send(currency, to, units);
    },
  };
  /**
   * The transaction stays visible for a while. Then its block is removed, and the transaction stays missing for a
   * while.
   */
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
      // A failed payment simply does not arrive, and the page shows that.
      ways[request.way](request).catch(() => undefined);
    }, waitS * 1_000);
    // A waiting payment must not keep the process alive.
    timer.unref();
    return '';
  };
}

/** How many blocks the payment stays visible: fewer than any local chain needs for finality. */
const SEEN_FOR_BLOCKS = 2;

/**
 * The payment stays missing until the new branch is this many blocks above the old head. A watcher may notice the reorg
 * only when the new branch is as long as the old one. An open page is refreshed each second and a block takes one or
 * two seconds, so the page shows that the payment is missing.
 */
const MISSED_FOR_BLOCKS = 4;

/** Another currency than the one asked for: the chain's own coin, or its first token in place of the coin. */
function otherCurrency({ chain, currencies }: DemoChain, asked: DemoCurrency): DemoCurrency {
  const other = currencies.find(
    ({ currency_id: id, off_reason: reason }) => id !== asked.currency_id && reason === '',
  );
  if (other === undefined) throw new CommandError(`${chain} has no other currency`);
  return other;
}
