// The start of a run with payouts: terms of apps, wallets in the books with coin in them, and orders worth paying out.
import { GATEWAY_ACCOUNT, WALLET_INDEX } from '@ducat/core/signing/key-path';
import { nativeCurrency } from '@ducat/core/chain/chain';
import { type AppSetup, type Setup, simAddress } from '../actors/setup.ts';
import { PAYER, type Payment } from '../actors/shoppers.ts';
import type { OrderPlan } from '../actors/order-plans.ts';
import type { SimChain } from '../nodes/sim-chain.ts';
import type { Chance } from '../world/chance.ts';
import { accountKeyOf } from './chain/sent-bytes.ts';
import { type OutgoingWeather, WALLET_COIN } from './outgoing.ts';
import type { Tx } from '@ducat/gateway/db/postgres/tx';
import { openWallet } from '@ducat/gateway/flows/collections/open-wallet';

export function withPayoutTerms({ apps, chains }: Setup, chance: Chance): Setup {
  const terms = (app: AppSetup): AppSetup => ({
    ...app,
    payoutFeePpm: chance.pick([0, 300, 10_000]),
    feesDeducted: chance.hits(0.6),
    approvalAbove: chance.hits(0.3) ? 100_000_000n : null,
  });
  // One chain shows most effects with half of the processes.
  return { chains: chance.hits(0.3) ? chains : chains.slice(0, 1), apps: apps.map(terms) };
}

const MOST_ORDERS = 4;

/** The same order plans, at prices that leave something when fees are paid. */
export function worthPayingOut(chance: Chance, plans: readonly OrderPlan[]): readonly OrderPlan[] {
  return plans.slice(0, MOST_ORDERS).map((plan) => {
    const tokenAmount =
      plan.currency.contract === null ? `${chance.between(2, 9)}0` : `${chance.between(30, 900)}00`;
    return { ...plan, tokenAmount, twinOf: null, fiatName: null, fiatAmount: null };
  });
}

export async function openWallets(tx: Tx, { apps }: Setup, chains: readonly SimChain[]): Promise<void> {
  for (const app of apps) {
    await tx.write(
      `INSERT INTO payout_settings (app_id, fee_mode, max_value, max_day_value, approval_above)
       VALUES ($1, $2, NULL, NULL, $3)`,
      [app.appId, app.feesDeducted === true ? 'deducted' : 'on-top', app.approvalAbove?.toString() ?? null],
    );
    await tx.write(
      'UPDATE merchants SET payout_fee_ppm = $2 WHERE merchant_id = (SELECT merchant_id FROM apps WHERE app_id = $1)',
      [app.appId, app.payoutFeePpm ?? 0],
    );
  }
  const families = new Set(chains.map(({ definition }) => definition.family));
  for (const family of families) {
    for (const { appId, key } of ownersOf(apps)) {
      await openWallet(tx, { appId, family }, simAddress(family, key, WALLET_INDEX, 'wallet'));
    }
  }
}

/** An operator funds every wallet with coin, or the gas wallet alone. */
export function walletCoin(
  { apps }: Setup,
  chains: readonly SimChain[],
  { poorWallets }: Pick<OutgoingWeather, 'poorWallets'>,
  nowMs: number,
): readonly Payment[] {
  return chains.flatMap((chain) => {
    const { family } = chain.definition;
    const { currencyId } = nativeCurrency(chain.definition);
    return ownersOf(poorWallets ? [] : apps).map(({ key }) => ({
      atMs: nowMs,
      chain,
      valueTransfers: [
        {
          currencyId,
          from: PAYER,
          to: simAddress(family, key, WALLET_INDEX, 'wallet'),
          units: WALLET_COIN[family],
        },
      ],
      failed: false,
    }));
  });
}

/** The owners of wallets. Null is the gateway itself. */
function ownersOf(
  apps: readonly AppSetup[],
): readonly { readonly appId: string | null; readonly key: string }[] {
  return [
    ...apps.map(({ appId, accountPublicKey }) => ({ appId, key: accountPublicKey })),
    { appId: null, key: accountKeyOf(GATEWAY_ACCOUNT) },
  ];
}
