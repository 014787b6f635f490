// An account on a real dev node that sends what a test asks for, one transaction after the other.
import { type EvmChain, startEvmChain } from '@ducat/devnet/evm/evm-chain';
import { testAccount } from '@ducat/devnet/evm/test-accounts';
import { isRecord } from './blocks/raw-block.ts';
import { assemble, deploying, type Instruction } from './evm-program.ts';

export interface Sending {
  /** Left out, the transaction creates a contract. */
  readonly to?: string;
  readonly data?: string;
  readonly value?: bigint;
  readonly gas?: number;
}

export class AnvilPayer {
  readonly chain: EvmChain;
  readonly address: string;

  constructor(chain: EvmChain, address: string) {
    this.chain = chain;
    this.address = address;
  }

  static async start(): Promise<AnvilPayer> {
    const chain = await startEvmChain({ chainId: 31_337 });
    const accounts = await chain.rpc('eth_accounts');
    if (!Array.isArray(accounts)) throw new Error('the dev node has no accounts');
    return new AnvilPayer(chain, String(accounts[0]));
  }

  /** Puts a transaction into the pool and gives its id. */
  async send({ to, data = '0x', value = 0n, gas = 1_000_000 }: Sending): Promise<string> {
    const sending = {
      from: this.address,
      ...(to === undefined ? {} : { to }),
      data,
      value: hex(value),
      gas: hex(gas),
    };
    return String(await this.chain.rpc('eth_sendTransaction', [sending]));
  }

  /** Sends, mines, and gives the number of the block and the address of what was created, if anything was. */
  async sendAndMine(
    ...sendings: readonly Sending[]
  ): Promise<{ readonly block: number; readonly created: string; readonly id: string }> {
    let id = '';
    for (const sending of sendings) id = await this.send(sending);
    await this.chain.mine();
    const receipt = await this.chain.rpc('eth_getTransactionReceipt', [id]);
    if (!isRecord(receipt)) throw new Error('a transaction was not mined');
    return { block: Number(receipt['blockNumber']), created: String(receipt['contractAddress']), id };
  }

  /** Mines a block in which signed bytes come behind a transaction of another sender. */
  async sendRawBehind(raw: string, to: string, data: string): Promise<void> {
    const accounts = await this.chain.rpc('eth_accounts');
    const from = Array.isArray(accounts) ? String(accounts[1]) : '';
    // The pool orders by fee, so this one pays more.
    const fees = { maxFeePerGas: hex(10n ** 12n), maxPriorityFeePerGas: hex(10n ** 11n) };
    await this.chain.rpc('eth_sendTransaction', [{ from, to, data, gas: hex(1_000_000), ...fees }]);
    await this.chain.rpc('eth_sendRawTransaction', [raw]);
    await this.chain.mine();
  }

  /**
   * An account takes on the code of a contract (EIP-7702) and is paid in the same transaction, so that the code runs
   * at once. Gives the number of the block.
   */
  async payBorrower(code: string, value: bigint): Promise<{ readonly block: number }> {
    const [sender, borrower] = [testAccount(4), testAccount(5)];
    const { chainId } = this.chain;
    const address: `0x${string}` = `0x${code.slice(2)}`;
    const nonce = await this.nonceOf(borrower.address);
    const authorization = await borrower.account.signAuthorization?.({ address, chainId, nonce });
    if (authorization === undefined) throw new Error('the account cannot lend itself to code');
    const raw = await sender.account.signTransaction({
      type: 'eip7702',
      chainId,
      nonce: await this.nonceOf(sender.address),
      to: borrower.address,
      value,
      gas: 1_000_000n,
      maxFeePerGas: 10n ** 12n,
      maxPriorityFeePerGas: 10n ** 9n,
      authorizationList: [authorization],
    });
    const id = await this.chain.rpc('eth_sendRawTransaction', [raw]);
    await this.chain.mine();
    const receipt = await this.chain.rpc('eth_getTransactionReceipt', [id]);
    if (!isRecord(receipt)) throw new Error('a transaction was not mined');
    if (receipt['type'] !== '0x4' || receipt['status'] !== '0x1') throw new Error('no code was borrowed');
    return { block: Number(receipt['blockNumber']) };
  }

  async nonceOf(address: string): Promise<number> {
    return Number(await this.chain.rpc('eth_getTransactionCount', [address, 'latest']));
  }

  /** Deploys runtime code and gives its address. */
  async deploy(runtime: string): Promise<string> {
    return (await this.sendAndMine({ data: `0x${deploying(runtime)}` })).created;
  }

  /** Runs instructions as the init code of a transaction that carries this value. */
  run(
    value: bigint,
    ...program: readonly Instruction[]
  ): Promise<{ readonly block: number; readonly created: string; readonly id: string }> {
    return this.sendAndMine({ data: `0x${assemble(...program, 'STOP')}`, value });
  }
}

function hex(value: bigint | number): string {
  return `0x${value.toString(16)}`;
}
