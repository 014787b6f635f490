// What the dashboard of the shown shop has besides the database: an added chain, Tron with a stake, and no nodes.
import { composeMail } from '@ducat/core/access/mail/compose-mail';
import type { Notice } from '@ducat/core/access/mail/notice';
import { SIGN_UP_HOLDS_MS } from '@ducat/core/access/sign-up';
import type { StakeLook } from '@ducat/core/collection/stake-runway';
import { amountOf } from '@ducat/core/money/amount';
import type { CaughtMail } from '@ducat/gateway/mail/port';
import { timeText } from '@ducat/gateway/mail/time-text';
import type { ChainAdditions } from '@ducat/gateway/roles/dashboard/operator/additions-port';
import type { DashboardDeps } from '@ducat/gateway/roles/dashboard/port';
import type { DashboardShop } from '../api/dashboard-shop.ts';

export function shownDeps({ api }: DashboardShop): Partial<DashboardDeps> {
  const { catalogue } = api.deps;
  const chains = catalogue
    .chains()
    .map((chain) => (chain.definition.name === 'Tron' ? { ...chain, on: true } : chain));
  return {
    additions: addedChain,
    catalogue: { ...catalogue, chains: () => chains },
    signUp: 'open',
    caughtMails: { list: async () => caughtMails(api.world.nowMs()) },
    lookAtStake: async (chain) => (chain === 'Tron' ? shownStake() : null),
  };
}

/** A chain that the operator has added. The checks that would ask nodes fail. */
const addedChain: ChainAdditions = {
  checkChain: () => Promise.reject(new Error('no node is asked here')),
  checkToken: () => Promise.reject(new Error('no node is asked here')),
  list: async () => [
    {
      name: 'BASE',
      section: '[chains.BASE]\nchain_id = 8453\nrpc_urls = ["https://base.example"]',
      chain: 'BASE',
      currencyId: null,
      addedBy: 'Olga Meyer',
      addedAtMs: 1_763_000_000_000,
      isInForce: false,
      chainTerms: {
        network: 'mainnet',
        chain_id: 8_453,
        coin_symbol: 'ETH',
        coin_rate_asset: 'ETH',
        confirmations: 30,
        node_finality: 'finalized',
        explorer_url: 'https://basescan.example',
      },
      tokenTerms: null,
      isRemoved: false,
      leftOut: null,
    },
  ],
  pinned: [{ name: 'WKC', network: 'WKC20', coinSymbol: 'WKC', firstNumber: 4000, isInFile: false }],
  rateAssets: ['ETH', 'USDT'],
};

/** Mails as a demo would catch them; the link leads nowhere. */
function caughtMails(nowMs: number): readonly CaughtMail[] {
  const until = { untilMs: nowMs, until: timeText(nowMs + SIGN_UP_HOLDS_MS) };
  const notices: readonly Notice[] = [
    { kind: 'sign-up', hasAccount: false, url: 'http://127.0.0.1:8082/sign-up#zD4kq0Xr', ...until },
    {
      kind: 'new-device',
      at: timeText(nowMs - 3_600_000),
      address: '127.0.0.1',
      userAgent: 'Firefox/140 Linux',
    },
  ];
  return notices.map((notice, place) => ({
    mailId: `mai_${place}`,
    atMs: nowMs - place * 3_600_000 - 2_000,
    recipient: 'gwen@example.test',
    ...composeMail(notice, false, 'en'),
  }));
}

/** A stake on Tron that covers most of a usual day. The operator's own key has delegated a part of it. */
function shownStake(): StakeLook {
  const trx = (count: bigint) => amountOf(3000, count * 1_000_000n);
  return {
    staker: { address: `41${'5e'.repeat(20)}`, permission: 2 },
    report: {
      staked: trx(120_000n),
      delegated: trx(30_600n),
      receivers: [],
      free: trx(48_210n),
      coin: trx(212n),
      isPermitted: true,
      stakedForBandwidth: trx(4_000n),
      unfreezing: trx(1_500n),
      thawsAtMs: 1_764_600_000_000,
      energy: { limit: 944_300n, used: 486_120n },
      bandwidth: { limit: 4_800n, used: 3_480n },
      freeBandwidth: { limit: 600n, used: 580n },
      energyADay: 1_140_000n,
      energyPrice: amountOf(3000, 100n),
    },
    booked: trx(18_600n),
    places: [],
    atWallets: trx(10_000n),
    stray: trx(2_000n),
    collections: 148n,
    collectionsByStake: 121n,
    payouts: 63n,
    runway: { transfersADay: 17n, coveragePercent: 83n, burntADay: amountOf(3000, 21_914_600n) },
  };
}
