// A chain with an unmodified TronWeb on it, for tests.
import { TronWeb } from 'tronweb';
import { startTronDev, type TronDev, type TronDevOptions } from '../start-tron-dev.ts';

export interface TronWebChain {
  readonly dev: TronDev;
  readonly tronWeb: TronWeb;
  /** Base58 addresses of the funded accounts; the first is TronWeb's default. */
  readonly addresses: readonly string[];
  /** Asks the full API by POST. */
  readonly post: (path: string, body?: unknown) => Promise<Answer>;
}

/** Any JSON answer. Each test checks its content. */
export type Answer = Record<string, unknown>;

/** Starts a chain with manual mining and a few blocks. */
export async function startTronWebChain(options: Partial<TronDevOptions> = {}): Promise<TronWebChain> {
  const dev = await startTronDev({ mining: 'manual', ...options });
  await dev.mine(2);
  const [first] = dev.accounts;
  if (first === undefined) throw new Error('the chain has no account');
  const tronWeb = new TronWeb({ fullHost: dev.fullUrl, privateKey: first.privateKey });
  return {
    dev,
    tronWeb,
    addresses: dev.accounts.map(({ address }) => address),
    post: (path, body = {}) => postJson(dev.fullUrl + path, body),
  };
}

export async function postJson(url: string, body: unknown): Promise<Answer> {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  // Tests check the content of the answer.
  return (await response.json()) as Answer;
}
