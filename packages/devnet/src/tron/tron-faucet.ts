// A funded payer on a Tron dev chain: builds and signs transactions itself, without asking a node what to sign.
import { parseAddress } from '@ducat/tron-dev/protocol/address';
import { createdAddress } from '@ducat/tron-dev/protocol/contract-address';
import { referenceTo } from '@ducat/tron-dev/protocol/block-header';
import { contractSchemas, smartContract } from '@ducat/tron-dev/protocol/contracts';
import { make } from '@ducat/tron-dev/protocol/schema';
import { addressOfKey, sign } from '@ducat/tron-dev/protocol/signature';
import { buildTransaction, type ContractCall, encodeTransaction } from '@ducat/tron-dev/protocol/transaction';
import { waitUntil } from '../process/wait-until.ts';

/** The outcome of a transaction. */
export interface TronOutcome {
  readonly txid: string;
  readonly succeeded: boolean;
  readonly blockNumber: number;
}

/** A payer. Addresses are accepted in any form. Sends return the id once the node has accepted the transaction. */
export interface TronFaucet {
  sendTrx(to: string, sun: bigint): Promise<string>;
  /** `units` in base units of the token. */
  sendToken(token: string, to: string, units: bigint): Promise<string>;
  /** Calls a contract; `value` is sun. */
  call(contract: string, data: string, value: bigint): Promise<string>;
  /** Deploys a contract and resolves with its address, in hex, once it is in a block. */
  deploy(bytecode: string): Promise<string>;
  headNumber(): Promise<number>;
  /** The current balance of an account, in sun. */
  balanceOf(address: string): Promise<bigint>;
  /** Waits for the receipt, by default for at most 30 s. */
  outcome(txid: string, timeoutMs?: number): Promise<TronOutcome>;
}

type Json = Readonly<Record<string, unknown>>;

const transferSelector = 'a9059cbb';
/** In sun. A transfer of USDT to an address that has none costs an eighth of it. */
const feeLimit = 100_000_000n;
const lifeMs = 60_000;

/** Makes a payer from a private key (64 hex digits) of a funded account. */
export function createTronFaucet({ rpcUrl, privateKey }: Access): TronFaucet {
  const owner_address = addressOfKey(privateKey);
  const send = createSender({ rpcUrl, privateKey });
  const call: TronFaucet['call'] = (contract, data, sun) => {
    const value = {
      owner_address,
      contract_address: addressOf(contract),
      call_value: sun,
      data: withoutPrefix(data),
    };
    return send(
      { name: 'TriggerSmartContract', value: make(contractSchemas.TriggerSmartContract, value) },
      feeLimit,
    );
  };
  const outcome: TronFaucet['outcome'] = (txid, timeoutMs = 30_000) =>
    waitUntil(`transaction ${txid} to be in a block`, () => readOutcome(rpcUrl, txid), { timeoutMs });
  return {
    sendTrx: async (to, sun) => {
      const value = { owner_address, to_address: addressOf(to), amount: sun };
      return send({ name: 'TransferContract', value: make(contractSchemas.TransferContract, value) }, 0n);
    },
    sendToken: async (token, to, units) => {
      const data =
        transferSelector + addressOf(to).slice(2).padStart(64, '0') + units.toString(16).padStart(64, '0');
      return call(token, data, 0n);
    },
    call,
    deploy: async (bytecode) => {
      const txid = await send(creationOf(owner_address, bytecode), feeLimit);
      const { succeeded } = await outcome(txid);
      if (!succeeded) throw new Error(`the contract of ${txid} was not made`);
      return createdAddress(txid, owner_address);
    },
    headNumber: async () => {
      const head = JSON.stringify(await ask(rpcUrl, 'getblock', { detail: false }));
      return Number(/"number":(\d+)/.exec(head)?.[1] ?? 0);
    },
    balanceOf: async (address) => {
      const account = await ask(rpcUrl, 'getaccount', { address: addressOf(address) });
      return BigInt(Number(account['balance'] ?? 0));
    },
    outcome,
  };
}

interface Access {
  readonly rpcUrl: string;
  readonly privateKey: string;
}

/** Signs a contract of the chain and hands it to the node; resolves with its id. */
function createSender({ rpcUrl, privateKey }: Access): (call: ContractCall, fee: bigint) => Promise<string> {
  // On Tron equal bytes are one transaction, so no two have the same timestamp.
  let lastMs = 0;
  return async (call, fee) => {
    const head = await ask(rpcUrl, 'getblock', { detail: false });
    lastMs = Math.max(lastMs + 1, Date.now());
    const unsigned = buildTransaction(call, {
      ...referenceTo(String(head['blockID'])),
      expirationMs: Math.max(timeOf(head), Date.now()) + lifeMs,
      timestampMs: lastMs,
      feeLimit: fee,
    });
    const signed = { ...unsigned, signatures: [sign(unsigned.txId, privateKey)] };
    const answer = await ask(rpcUrl, 'broadcasthex', { transaction: encodeTransaction(signed, []) });
    if (answer['result'] !== true)
      throw new Error(`the chain refused the transaction: ${JSON.stringify(answer['message'])}`);
    return signed.txId;
  };
}

function creationOf(owner_address: string, bytecode: string): ContractCall {
  const new_contract = make(smartContract, {
    origin_address: owner_address,
    bytecode: withoutPrefix(bytecode),
    // The caller pays for all energy of its calls.
    consume_user_resource_percent: 100n,
    name: 'test',
  });
  const created = make(contractSchemas.CreateSmartContract, { owner_address, new_contract });
  return { name: 'CreateSmartContract', value: created };
}

function withoutPrefix(hex: string): string {
  return hex.replace(/^0x/, '');
}

async function readOutcome(rpcUrl: string, txid: string): Promise<TronOutcome | undefined> {
  const info = await ask(rpcUrl, 'gettransactioninfobyid', { value: txid });
  if (info['id'] === undefined) return undefined;
  return { txid, succeeded: info['result'] !== 'FAILED', blockNumber: Number(info['blockNumber']) };
}

async function ask(rpcUrl: string, call: string, parameters: Json): Promise<Json> {
  const response = await fetch(`${rpcUrl}/wallet/${call}`, {
    method: 'POST',
    body: JSON.stringify(parameters),
  });
  const answer: unknown = await response.json();
  if (typeof answer !== 'object' || answer === null || 'Error' in answer)
    throw new Error(`${call} was answered with ${JSON.stringify(answer)}`);
  return Object.fromEntries(Object.entries(answer));
}

function timeOf(block: Json): number {
  const text = JSON.stringify(block);
  return Number(/"timestamp":(\d+)/.exec(text)?.[1] ?? 0);
}

function addressOf(text: string): string {
  const address = parseAddress(text);
  if (address === null) throw new Error(`${text} is no Tron address`);
  return address;
}
