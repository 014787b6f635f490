// A collect stage on a real EVM dev chain on which addresses of tokens are swept together.
import type { Currency } from '@ducat/core/chain/currency';
import { AnvilPayer } from '../chains/evm/anvil-payer.ts';
import { mintSelector, tokenCode } from '../chains/evm/evm-contracts.ts';
import { testCurrency, testDefinition } from '../chains/test-currencies.ts';
import { CollectStage } from './collect-stage.ts';
import { PayStage } from './pay-stage.ts';

export const ETHER = 10n ** 18n;

export interface SweepRow {
  readonly subject_id: string;
  readonly action: string;
  readonly state: string;
  readonly units: string;
}

export class SweepStage {
  readonly node: AnvilPayer;
  readonly stage: PayStage;
  readonly collecting: CollectStage;
  readonly native: Currency;
  readonly token: Currency;
  /** The amount due of each order; each is paid in full. */
  readonly price = 500_000_000n;

  private constructor(node: AnvilPayer, stage: PayStage, collecting: CollectStage) {
    const { definition, token } = stage.under;
    const [native] = definition.currencies;
    if (native === undefined) throw new Error('the chain has no coin');
    Object.assign(collecting, { policy: { ...collecting.policy, sponsored: true } });
    this.node = node;
    this.stage = stage;
    this.collecting = collecting;
    this.native = native;
    this.token = token;
  }

  static async open(): Promise<SweepStage> {
    const node = await AnvilPayer.start();
    const native = { ...testCurrency(1000, null, 18), rateAsset: 'ETH' };
    const usd = async (id: number) => ({
      ...testCurrency(id, await node.deploy(tokenCode())),
      rateAsset: 'USDT',
    });
    const [token, other] = [await usd(1001), await usd(1002)];
    const stage = await PayStage.open({
      definition: testDefinition({ currencies: [native, token, other] }),
      token,
      rpcUrls: [node.chain.rpcUrl],
      mine: (count) => node.chain.mine(count),
      fund: (wallet) => node.sendAndMine({ to: wallet, value: 10n * ETHER }),
    });
    const sweeping = new SweepStage(node, stage, await CollectStage.open(stage));
    await sweeping.settle();
    return sweeping;
  }

  async close(): Promise<void> {
    await this.stage.close();
    await this.node.chain.stop();
  }

  settle(): Promise<void> {
    return this.stage.mine(6);
  }

  async mint(to: string, { contract }: Currency = this.token): Promise<void> {
    const data = `0x${mintSelector}${wordOf(to)}${wordOf(this.price)}`;
    await this.node.send({ to: contract ?? '', data });
  }

  /** Addresses of orders in the token, each paid. */
  async paidOrders(count: number): Promise<readonly string[]> {
    const addresses: string[] = [];
    for (let order = 0; order < count; order++) {
      const address = await this.collecting.order(this.token.currencyId, this.price);
      await this.mint(address);
      addresses.push(address);
    }
    await this.settle();
    return addresses;
  }

  /** Moves the clock by two windows. Windows of all addresses end together, so everything that was paid is due then. */
  collectDue(): Promise<void> {
    return this.collecting.collect(2 * this.collecting.policy.windowMs);
  }

  async step(): Promise<void> {
    await this.stage.pay(1_000);
    await this.settle();
    await this.collecting.collect(1_000);
  }

  async steps(count: number): Promise<void> {
    for (let taken = 0; taken < count; taken++) await this.step();
  }

  /** Pays ten orders, and sweeps their addresses by a sweeper that is deployed for them. Gives the addresses. */
  async sweptOrders(): Promise<readonly string[]> {
    const addresses = await this.paidOrders(10);
    await this.collectDue();
    await this.stage.pay(1_000);
    await this.settle();
    await this.collecting.collect(60_000);
    await this.step();
    return addresses;
  }

  /** A stranger empties an address that delegates to its sweeper, as anyone may. */
  async strangerSweeps(address: string): Promise<void> {
    await this.node.sendAndMine({ to: address, data: `0x01681a62${wordOf(this.token.contract ?? '')}` });
  }

  /** The collections of each address. */
  methodsOf(addresses: readonly string[]): ReturnType<typeof allCollections> {
    return allCollections(this.collecting, addresses);
  }

  sweeps(): Promise<readonly SweepRow[]> {
    return this.stage.database.reader.read<SweepRow>(
      `SELECT subject_id, action, state, units::text FROM outgoing_transactions WHERE action IN ('sweep', 'deploy')
       ORDER BY created_at_ms`,
      [],
    );
  }

  /** The token's custody in base units: of a wallet, or of the deposit addresses where `wallet` is null. */
  async custody(wallet: string | null): Promise<bigint> {
    const [row] = await this.stage.database.reader.read<{ units: string }>(
      `SELECT (-balance)::text AS units FROM accounts WHERE kind = 'custody' AND owner = $1 AND currency_id = $2`,
      [wallet === null ? 'TEST' : `TEST/${wallet}`, this.token.currencyId],
    );
    return BigInt(row?.units ?? 0);
  }

  /** The code that an address borrows. */
  async delegate(address: string): Promise<string> {
    return String(await this.node.chain.rpc('eth_getCode', [address, 'latest']));
  }
}

function allCollections(collecting: CollectStage, addresses: readonly string[]) {
  return Promise.all(addresses.map((address) => collecting.collections(address)));
}

function wordOf(value: string | bigint): string {
  return value.toString(16).replace('0x', '').padStart(64, '0');
}
