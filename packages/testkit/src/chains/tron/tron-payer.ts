// An account on a Tron dev chain that sends what a test wants. Addresses are 0x and 20 bytes, as in EVM code.
import { referenceTo } from '@ducat/tron-dev/protocol/block-header';
import { contractSchemas, smartContract } from '@ducat/tron-dev/protocol/contracts';
import { createdAddress } from '@ducat/tron-dev/protocol/contract-address';
import { make } from '@ducat/tron-dev/protocol/schema';
import { sign } from '@ducat/tron-dev/protocol/signature';
import {
  buildTransaction,
  type ContractCall,
  encodeTransaction,
  type Transaction,
  transactionOf,
} from '@ducat/tron-dev/protocol/transaction';
import { startTronDev, type TronDev } from '@ducat/tron-dev/start-tron-dev';
import type { Sending } from '../evm/anvil-payer.ts';
import { assemble, deploying, type Instruction } from '../evm/evm-program.ts';

export interface TronMined {
  readonly block: number;
  readonly created: string;
  readonly id: string;
}

const feeLimit = 15_000_000_000n;
const lifeMs = 3_600_000;

export class TronPayer {
  readonly dev: TronDev;
  readonly address: string;
  readonly #addressHex: string;
  readonly #privateKey: string;
  readonly #contracts = new Set<string>();
  #timestampMs = 0;

  constructor(dev: TronDev) {
    const [account] = dev.accounts;
    if (account === undefined) throw new Error('the dev chain has no account');
    this.dev = dev;
    this.address = toEvm(account.addressHex);
    this.#addressHex = account.addressHex;
    this.#privateKey = account.privateKey;
  }

  /** Starts a chain that mines on request, with its solid head three blocks behind. */
  static async start(): Promise<TronPayer> {
    const dev = await startTronDev({
      mining: 'manual',
      solidLag: 3,
      accountCount: 2,
      balance: 4n * 10n ** 18n,
    });
    await dev.mine();
    return new TronPayer(dev);
  }

  /**
   * Signs any contract that our code can build and puts it into the pool. Gives the transaction as it was sent.
   * `more` are bytes after its raw ones.
   */
  async send(call: ContractCall, memo = '', more = ''): Promise<Transaction> {
    const head = this.dev.head();
    this.#timestampMs = Math.max(this.#timestampMs + 1, head.timestamp);
    const built = buildTransaction(call, {
      ...referenceTo(head.id),
      expirationMs: head.timestamp + lifeMs,
      timestampMs: this.#timestampMs,
      feeLimit,
      memo,
    });
    const unsigned = transactionOf(built.rawHex + more, []);
    const transaction = { ...unsigned, signatures: [sign(unsigned.txId, this.#privateKey)] };
    const response = await fetch(`${this.dev.fullUrl}/wallet/broadcasthex`, {
      method: 'POST',
      body: JSON.stringify({ transaction: encodeTransaction(transaction, []) }),
    });
    const answer: unknown = await response.json();
    if (typeof answer !== 'object' || answer === null || !('result' in answer) || answer.result !== true)
      throw new Error(`the transaction was refused: ${JSON.stringify(answer)}`);
    return transaction;
  }

  /** Sends and mines. `created` is the address of the contract that was made, or empty. */
  async sendAndMine(sending: Sending): Promise<TronMined> {
    const call = this.#callOf(sending);
    const { txId: id } = await this.send(call);
    const created = sending.to === undefined ? toEvm(createdAddress(id, this.#addressHex)) : '';
    this.#contracts.add(created);
    const [mined] = await this.dev.mine();
    return { block: mined?.number ?? -1, created, id };
  }

  /** Deploys runtime code and gives its address. */
  async deploy(runtime: string): Promise<string> {
    return (await this.sendAndMine({ data: `0x${deploying(runtime)}` })).created;
  }

  /** Runs instructions as the init code of a transaction that carries this value. */
  run(value: bigint, ...program: readonly Instruction[]): Promise<TronMined> {
    return this.sendAndMine({ data: `0x${assemble(...program, 'STOP')}`, value });
  }

  /** Accounts of Tron cannot take on code. */
  payBorrower(): Promise<never> {
    return Promise.reject(new Error('no account of Tron borrows code'));
  }

  /** The address of the only contract that a transaction created inside. */
  async createdInside(id: string): Promise<string> {
    const response = await fetch(`${this.dev.fullUrl}/wallet/gettransactioninfobyid`, {
      method: 'POST',
      body: JSON.stringify({ value: id }),
    });
    const [, created] = /"transferTo_address":"(41\w{40})"/.exec(await response.text()) ?? [];
    if (created === undefined) throw new Error(`${id} created nothing`);
    return toEvm(created);
  }

  #callOf({ to, data = '0x', value = 0n }: Sending): ContractCall {
    const owner_address = this.#addressHex;
    if (to === undefined) {
      const new_contract = make(smartContract, {
        origin_address: owner_address,
        bytecode: data.slice(2),
        call_value: value,
        consume_user_resource_percent: 100n,
        name: 'test',
        origin_energy_limit: 10_000_000n,
      });
      const created = make(contractSchemas.CreateSmartContract, { owner_address, new_contract });
      return { name: 'CreateSmartContract', value: created };
    }
    if (data === '0x' && !this.#contracts.has(to)) {
      const transfer = { owner_address, to_address: toTron(to), amount: value };
      return { name: 'TransferContract', value: make(contractSchemas.TransferContract, transfer) };
    }
    const trigger = { owner_address, contract_address: toTron(to), call_value: value, data: data.slice(2) };
    return { name: 'TriggerSmartContract', value: make(contractSchemas.TriggerSmartContract, trigger) };
  }
}

export function toTron(evm: string): string {
  return `41${evm.slice(2)}`;
}

function toEvm(tron: string): string {
  return `0x${tron.slice(2)}`;
}
