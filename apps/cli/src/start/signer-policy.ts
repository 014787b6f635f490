// The policy of the demo's signer: every asset of the local chains, in amounts that no demo comes near.
import { addressSchemes } from '@ducat/gateway/chains/address-schemes';
import type { DemoChain } from '../state/demo-record.ts';
import type { DemoApprovers } from './people/demo-approvers.ts';

/** Limits in whole coins or tokens. They are high, because customers send billions of some tokens. */
const AMOUNTS = { perTransaction: 10n ** 12n, perHour: 10n ** 13n, perDay: 10n ** 14n };
const FEES = { perTransaction: 1_000n, perHour: 100_000n, perDay: 1_000_000n };

/** The text of the policy file. Which payouts wait for an approval at the gateway is left to the rules of their app. */
export function signerPolicyText(chains: readonly DemoChain[], approvers: DemoApprovers): string {
  const listed = Object.entries(approvers).map(([name, publicKey]) => ({ name, publicKey }));
  return `${JSON.stringify({ chains: chains.map(chainPolicy), approvers: listed }, null, 2)}\n`;
}

function chainPolicy({ family, chain_id, currencies }: DemoChain): object {
  const coin = currencies.find(({ contract }) => contract === '');
  const assets = currencies.map(({ contract, decimals }) => ({
    contract: contract === '' ? null : addressSchemes[family].canonical(contract),
    ...inBaseUnits(AMOUNTS, decimals),
    // No amount needs an approval. An approval that is given is checked all the same.
    approvalAbove: null,
  }));
  const fees = inBaseUnits(FEES, coin?.decimals ?? 0);
  // Sweeps are allowed here, because the gateway asks for none unless its own configuration says so.
  return { chainId: chain_id, family, fees, assets, cold: [], sponsored: family === 'evm' };
}

function inBaseUnits(limits: typeof AMOUNTS, decimals: number): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(limits).map(([name, whole]) => [name, (whole * 10n ** BigInt(decimals)).toString()]),
  );
}
