// A shop on the dashboard: its people, people of another merchant, an operator, and blocks that pay it.
import { createHash } from 'node:crypto';
import type { OperationName, ResponseOf } from '@ducat/contract/dashboard/registry';
import { chainDefinitions } from '@ducat/core/chain/definitions/index';
import type { BlockHeader, Transfer } from '@ducat/core/chain/transfer';
import { addressSchemes } from '@ducat/gateway/chains/address-schemes';
import { pin } from '@ducat/gateway/db/tables/currencies';
import { bookBlock, type BookedBlock, TEST_LEASE, transferTo } from '../fixtures.ts';
import { fixedNetworkFees } from './paying-out.ts';
import { startTestApi, type TestApi } from './test-api.ts';
import { type Asked, startTestDashboard, type TestPerson } from './test-dashboard.ts';

export interface DashboardShop {
  readonly api: TestApi;
  readonly owner: TestPerson;
  readonly finance: TestPerson;
  /** An owner of another merchant, `mer_2`. */
  readonly stranger: TestPerson;
  readonly operator: TestPerson;
  /** Calls an operation, as the owner by default. Throws where the answer is not 200. */
  ask<Name extends OperationName>(
    name: Name,
    request: Asked<Name>,
    as?: TestPerson,
  ): Promise<ResponseOf<Name>>;
  /** Books a block with these transfers; the block is final at once. */
  bookFinal(transfers: (block: BlockHeader) => readonly Transfer[]): Promise<void>;
  /** Creates an order for an amount of a currency. Gives its trade_no and its canonical address. */
  orderPlaced(
    outTradeNo: string,
    currencyId: number,
    amount: string,
  ): Promise<{ readonly tradeNo: string; readonly address: string }>;
  /**
   * Creates an order in USD that is due in USDT, and pays it with one transfer after `afterMs` (default 0). Gives its
   * trade_no.
   */
  orderPaid(outTradeNo: string, amount: string, units: bigint, afterMs?: number): Promise<string>;
  close(): Promise<void>;
}

const CURRENCIES = chainDefinitions.flatMap(({ name, currencies }) =>
  currencies.map(({ contract, ...rest }) => ({ ...rest, chain: name, contract: contract ?? '' })),
);

/** How tests that show payments encode the events, and from whom the transfers come. */
interface PaymentLook {
  readonly writing: Pick<BookedBlock, 'encode' | 'encodeQrPayment'>;
  /** The sender of all transfers. */
  readonly from: string;
}

export async function startDashboardShop(
  adminUrl: string,
  change: Parameters<typeof startTestDashboard>[1] = {},
  look: PaymentLook | null = null,
): Promise<DashboardShop> {
  const api = await startTestApi(adminUrl, { networkFees: fixedNetworkFees(chainDefinitions, 10n ** 15n) });
  const dashboard = await startTestDashboard(api, change);
  await api.database.transact(async (tx) => {
    const lease = [TEST_LEASE.token, TEST_LEASE.holder];
    await tx.write(`INSERT INTO leases VALUES ('watch-ETH', $1, $2, 0, 0)`, lease);
    await tx.write(`INSERT INTO merchants VALUES ('mer_2', 'Other', 300, 0)`, []);
    await pin(tx, CURRENCIES);
    await tx.write(`UPDATE apps SET callback_url = 'https://shop.test/hook'`, []);
  });
  const owner = await dashboard.addPerson({ role: 'owner' });
  let head = { number: 1000, hash: '0xhead' };
  const bookFinal: DashboardShop['bookFinal'] = async (transfers) => {
    const number = head.number + 1;
    const time = Math.floor(api.world.nowMs() / 1000);
    const header = { number, hash: `0x${number}`, parentHash: head.hash, time };
    const block = { header, transfers: paidBy(transfers(header), look), final: header, ...look?.writing };
    const booked = await bookBlock(api.database, block);
    if (booked.outcome !== 'accepted') throw new Error(`the block was not accepted: ${booked.outcome}`);
    head = header;
  };
  return {
    api,
    owner,
    finance: await dashboard.addPerson({ role: 'finance' }),
    stranger: await dashboard.addPerson({ role: 'owner', merchantId: 'mer_2' }),
    operator: await dashboard.addPerson({ isOperator: true }),
    ask: async <Name extends OperationName>(name: Name, request: Asked<Name>, as = owner) => {
      const { status, body } = await as.call(name, request);
      if (status !== 200) throw new Error(`${name} was answered with ${status} ${JSON.stringify(body)}`);
      // The test's browser has checked the body against the schema of the answer.
      return body as ResponseOf<Name>;
    },
    bookFinal,
    orderPlaced: async (outTradeNo, currencyId, amount) => {
      const request = { out_trade_no: outTradeNo, currency_id: currencyId, token_amount: amount };
      const { data } = await api.call('/api/order/create', request);
      const address = addressSchemes.evm.canonical(String(data['pay_address'])) ?? '';
      return { tradeNo: String(data['trade_no']), address };
    },
    orderPaid: async (outTradeNo, amount, units, afterMs = 0) => {
      const request = { out_trade_no: outTradeNo, currency_id: 1001, fiat_name: 'USD', fiat_amount: amount };
      const { data } = await api.call('/api/order/create', request);
      const to = addressSchemes.evm.canonical(String(data['pay_address'])) ?? '';
      api.world.advance(afterMs);
      const txId = `0x${createHash('sha256').update(outTradeNo).digest('hex')}`;
      await bookFinal((block) => [transferTo(to, block, { units, txId })]);
      return String(data['trade_no']);
    },
    close: async () => {
      await dashboard.close();
      await api.close();
    },
  };
}

function paidBy(transfers: readonly Transfer[], look: PaymentLook | null): readonly Transfer[] {
  return look === null ? transfers : transfers.map((transfer) => ({ ...transfer, from: look.from }));
}
