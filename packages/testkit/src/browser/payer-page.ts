// A page as a payer opens it: with a wallet that announces itself (EIP-6963) where a test wants one, and complaints kept.
import { callRpc } from '@ducat/devnet/evm/json-rpc';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

export interface PayerPage {
  readonly page: Page;
  /** What the browser refused or a script failed with. */
  readonly complaints: readonly string[];
  close(): Promise<void>;
}

export interface PayerOptions {
  readonly context?: BrowserContextOptions;
  /** The node that signs for the wallet, which begins on another chain; none without it. */
  readonly walletRpc?: string;
  readonly from?: string;
}

export async function openPayerPage(
  browser: Browser,
  { context: contextOptions = {}, walletRpc, from = '' }: PayerOptions = {},
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
  if (walletRpc !== undefined) {
    await page.exposeFunction('askNode', (method: string, params: unknown[]) =>
      callRpc(walletRpc, method, params),
    );
    await page.addInitScript(installWallet, from);
  }
  return { page, complaints, close: () => context.close() };
}

/** Runs in the browser, so it holds everything it needs. */
function installWallet(from: string): void {
  // Names that the browser has, or that were just exposed to it; the types of Node know neither.
  const here = globalThis as unknown as {
    askNode(method: string, params: unknown[]): Promise<unknown>;
    dispatchEvent(event: Event): boolean;
    addEventListener(name: string, listener: () => void): void;
    CustomEvent: new (name: string, init: { detail: unknown }) => Event;
  };
  let chainId: unknown = '0x1';
  const request = async ({ method, params = [] }: { method: string; params?: unknown[] }) => {
    if (method === 'eth_requestAccounts') return [from];
    if (method === 'eth_chainId') return chainId;
    if (method !== 'wallet_switchEthereumChain') return here.askNode(method, params);
    chainId = (params[0] as { chainId: string }).chainId;
    return null;
  };
  const info = {
    uuid: '00000000-0000-4000-8000-000000000001',
    name: 'Test wallet',
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
