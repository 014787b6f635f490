// A funded payer on a dev chain: signs here, counts its nonces itself, and pays any address.
import type { ContractConstructorArgs, Hex } from 'viem';
import { getContractAddress } from 'viem/utils';
import type { PrivateKeyAccount } from 'viem/accounts';
import { privateKeyToAccount } from 'viem/accounts';
import type { Call, ContractName, contracts } from '../contracts/contracts.ts';
import { callOf, deploymentOf } from '../contracts/contracts.ts';
import { callRpc, callRpcHex, RpcRefusal } from './json-rpc.ts';
import { waitUntil } from '../process/wait-until.ts';

/** The outcome of a transaction. */
export interface Outcome {
  readonly hash: Hex;
  readonly succeeded: boolean;
  readonly blockNumber: number;
  readonly blockHash: Hex;
}

/** A payer. All sends return the transaction hash once the node has accepted the transaction, mined or not. */
export interface Faucet {
  readonly address: Hex;
  /** `wei` in base units of the native coin. */
  sendNative(to: Hex, wei: bigint): Promise<Hex>;
  /** `units` in base units of the token. */
  sendToken(token: Hex, to: Hex, units: bigint): Promise<Hex>;
  /** Mints test tokens, which let anybody mint. */
  mintToken(token: Hex, to: Hex, units: bigint): Promise<Hex>;
  /** Sends any call. Nothing is estimated beforehand, so a call that will fail is sent like any other. */
  send(call: Call, options?: { gas?: bigint }): Promise<Hex>;
  /** Deploys a contract; its address is known before it is mined. `value` in wei. */
  deploy<Name extends ContractName>(
    name: Name,
    args: ContractConstructorArgs<(typeof contracts)[Name]['abi']>,
    value?: bigint,
  ): Promise<{ hash: Hex; address: Hex }>;
  /** The current balance of an address, in wei. */
  balanceOf(address: Hex): Promise<bigint>;
  /** Waits for the receipt, by default for at most 30 s. */
  outcome(hash: Hex, timeoutMs?: number): Promise<Outcome>;
}

const feePerGas = { maxFeePerGas: 100n * 10n ** 9n, maxPriorityFeePerGas: 10n ** 9n };
const defaultGas = { native: 100_000n, call: 1_000_000n, deploy: 5_000_000n };
const maxAttempts = 5;

/** Makes a payer from a private key of a funded account. Several calls at once keep their order. */
export function createFaucet(options: { rpcUrl: string; chainId: number; privateKey: Hex }): Faucet {
  const account = privateKeyToAccount(options.privateKey);
  const line = new NonceLine(options.rpcUrl, options.chainId, account);
  const send: Faucet['send'] = async (call, { gas = defaultGas.call } = {}) =>
    (await line.send({ ...call, gas })).hash;
  return {
    address: account.address,
    send,
    sendNative: (to, wei) => send({ to, data: '0x', value: wei }, { gas: defaultGas.native }),
    sendToken: (token, to, units) => send(callOf('testToken', token, 'transfer', [to, units])),
    mintToken: (token, to, units) => send(callOf('testToken', token, 'mint', [to, units])),
    deploy: async (name, args, value = 0n) => {
      const data = deploymentOf(name, args);
      const { hash, nonce } = await line.send({ to: undefined, data, value, gas: defaultGas.deploy });
      return { hash, address: getContractAddress({ from: account.address, nonce: BigInt(nonce) }) };
    },
    balanceOf: async (address) =>
      BigInt(await callRpcHex(options.rpcUrl, 'eth_getBalance', [address, 'latest'])),
    outcome: (hash, timeoutMs = 30_000) =>
      waitUntil(`transaction ${hash} to be mined`, () => readOutcome(options.rpcUrl, hash), { timeoutMs }),
  };
}

interface Envelope {
  readonly to: Hex | undefined;
  readonly data: Hex;
  readonly value: bigint;
  readonly gas: bigint;
}

/** Sends one transaction after the other, so that no nonce is used twice or left out. */
class NonceLine {
  readonly #rpcUrl: string;
  readonly #chainId: number;
  readonly #account: PrivateKeyAccount;
  #next: number | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(rpcUrl: string, chainId: number, account: PrivateKeyAccount) {
    this.#rpcUrl = rpcUrl;
    this.#chainId = chainId;
    this.#account = account;
  }

  send(envelope: Envelope): Promise<{ hash: Hex; nonce: number }> {
    const sent = this.#last.then(() => this.#sendNow(envelope));
    this.#last = sent.catch(() => undefined);
    return sent;
  }

  async #sendNow(envelope: Envelope): Promise<{ hash: Hex; nonce: number }> {
    for (let attempt = 1; ; attempt += 1) {
      const nonce = this.#next ?? (await this.#fetchNonce());
      // If something fails below, the nonce is read from the chain again.
      this.#next = undefined;
      try {
        const raw = await this.#sign(envelope, nonce);
        const hash = await callRpcHex(this.#rpcUrl, 'eth_sendRawTransaction', [raw]);
        this.#next = nonce + 1;
        return { hash, nonce };
      } catch (error) {
        // Another program with the same key has used the nonce, or a reorganisation has set it back.
        const isTaken =
          error instanceof RpcRefusal && /nonce too low|already|underpriced/i.test(error.message);
        if (!isTaken || attempt >= maxAttempts) throw error;
      }
    }
  }

  #sign({ to, data, value, gas }: Envelope, nonce: number): Promise<Hex> {
    const common = {
      chainId: this.#chainId,
      type: 'eip1559',
      nonce,
      data,
      value,
      gas,
      ...feePerGas,
    } as const;
    return this.#account.signTransaction(to === undefined ? common : { ...common, to });
  }

  async #fetchNonce(): Promise<number> {
    return Number(
      await callRpcHex(this.#rpcUrl, 'eth_getTransactionCount', [this.#account.address, 'pending']),
    );
  }
}

async function readOutcome(rpcUrl: string, hash: Hex): Promise<Outcome | undefined> {
  const receipt = await callRpc(rpcUrl, 'eth_getTransactionReceipt', [hash]);
  if (typeof receipt !== 'object' || receipt === null) return undefined;
  if (!('status' in receipt && 'blockNumber' in receipt && 'blockHash' in receipt)) return undefined;
  const blockHash: Hex = `0x${String(receipt.blockHash).slice(2)}`;
  return { hash, succeeded: receipt.status === '0x1', blockNumber: Number(receipt.blockNumber), blockHash };
}
