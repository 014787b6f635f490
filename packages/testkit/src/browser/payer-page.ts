// A page as a payer opens it, with the wallets that a test wants in the browser, and a list of the browser's errors.
import { callRpc } from '@ducat/devnet/evm/json-rpc';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

export interface PayerPage {
  readonly page: Page;
  /** What the browser refused or a script failed with. */
  readonly complaints: string[];
  close(): Promise<void>;
}

export interface PayerOptions {
  readonly context?: BrowserContextOptions;
  /** RPC URL of the node that signs for the wallet; left out, the wallet has no node. The wallet begins on another chain. */
  readonly walletRpc?: string;
  readonly from?: string;
  /** Calls that the wallet refuses, each once, in this order: the method, and the EIP-1193 code of the error. */
  readonly refusals?: readonly (readonly [method: string, code: number])[];
  readonly walletName?: string;
  /** Installs a wallet with the interface of TronLink, which sends through this. */
  readonly tron?: TronSender;
}

export interface TronSender {
  readonly address: string;
  /** `contract` is "" for TRX. */
  send(contract: string, to: string, units: bigint): Promise<string>;
}

export async function openPayerPage(
  browser: Browser,
  { context: contextOptions = {}, walletRpc, refusals, tron, ...wallet }: PayerOptions = {},
): Promise<PayerPage> {
  const context = await browser.newContext({
    locale: 'en',
    viewport: { width: 390, height: 844 },
    ...contextOptions,
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => void complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  if (walletRpc !== undefined || refusals !== undefined) {
    await page.exposeFunction('askNode', (method: string, params: unknown[]) =>
      walletRpc === undefined ? null : callRpc(walletRpc, method, params),
    );
    const { from = '', walletName = 'Test wallet' } = wallet;
    await page.addInitScript(installWallet, { from, name: walletName, refusals: refusals ?? [] });
  }
  if (tron !== undefined) {
    await page.exposeFunction('sendByTron', (contract: string, to: string, units: string) =>
      tron.send(contract, to, BigInt(units)),
    );
    await page.addInitScript(installTronLink, tron.address);
  }
  return { page, complaints, close: () => context.close() };
}

/** Runs in the browser, so it holds everything it needs. */
function installWallet({
  from,
  name,
  refusals,
}: {
  readonly from: string;
  readonly name: string;
  readonly refusals: readonly (readonly [string, number])[];
}): void {
  // Names that the browser has, or that were just exposed to it; the types of Node know neither.
  const here = globalThis as unknown as {
    askNode(method: string, params: unknown[]): Promise<unknown>;
    dispatchEvent(event: Event): boolean;
    addEventListener(name: string, listener: () => void): void;
    CustomEvent: new (name: string, init: { detail: unknown }) => Event;
  };
  let chainId: unknown = '0x1';
  const left = [...refusals];
  const request = async ({ method, params = [] }: { method: string; params?: unknown[] }) => {
    const [refused = '', code = 0] = left[0] ?? [];
    if (method === refused) {
      left.shift();
      throw Object.assign(new Error('refused'), { code });
    }
    if (method === 'eth_requestAccounts') return [from];
    if (method === 'eth_chainId') return chainId;
    if (method !== 'wallet_switchEthereumChain') return here.askNode(method, params);
    chainId = (params[0] as { chainId: string }).chainId;
    return null;
  };
  const info = {
    uuid: '00000000-0000-4000-8000-000000000001',
    name,
    icon: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>',
    rdns: 'test',
  };
  const detail = Object.freeze({
    info,
    provider: { request, on: () => undefined, removeListener: () => undefined },
  });
  const announce = () => here.dispatchEvent(new here.CustomEvent('eip6963:announceProvider', { detail }));
  here.addEventListener('eip6963:requestProvider', announce);
  announce();
}

/** Runs in the browser. As TronLink does, the wallet appears late and announces itself. */
function installTronLink(address: string): void {
  const here = globalThis as unknown as {
    sendByTron(contract: string, to: string, units: string): Promise<string>;
    setTimeout(work: () => void, ms: number): void;
    dispatchEvent(event: Event): boolean;
    tronLink?: object;
  };
  interface Transfer {
    readonly contract: string;
    readonly to: string;
    readonly units: string;
  }
  const transactionBuilder = {
    sendTrx: async (to: string, units: number) => ({ contract: '', to, units: String(units) }),
    triggerSmartContract: async (
      contract: string,
      method: string,
      _options: object,
      [to, units]: readonly { readonly value: string }[],
    ) => {
      if (method !== 'transfer(address,uint256)') throw new Error(`a call of ${method}`);
      return { transaction: { contract, to: to?.value, units: units?.value } };
    },
  };
  const trx = {
    sign: async (transaction: Transfer) => ({ ...transaction, signature: ['…'] }),
    sendRawTransaction: async ({ contract, to, units }: Transfer) => {
      await here.sendByTron(contract, to, units);
      return { result: true };
    },
  };
  const LATE_MS = 200;
  here.setTimeout(() => {
    here.tronLink = {
      request: async () => ({ code: 200 }),
      tronWeb: { defaultAddress: { base58: address }, transactionBuilder, trx },
    };
    here.dispatchEvent(new Event('tronLink#initialized'));
  }, LATE_MS);
}
