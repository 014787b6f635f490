// Sends coins of the local chains from their funded account.
import type { ChainFamily } from '@ducat/core/chain/chain';
import { callOf } from '@ducat/devnet/contracts/contracts';
import { createFaucet } from '@ducat/devnet/evm/faucet';
import { callRpcHex } from '@ducat/devnet/evm/json-rpc';
import { createTronFaucet } from '@ducat/devnet/tron/tron-faucet';
import { createTronForwarder } from '@ducat/devnet/tron/tron-forwarder';
import { CommandError } from '../command-error.ts';
import type { DemoChain, DemoCurrency } from '../state/demo-record.ts';

type Hex = `0x${string}`;

/** The funded account of one local chain. */
export interface Payer {
  /**
   * Sends `units`, in base units of the currency. Returns the transaction id once the chain has accepted the
   * transaction, mined or not.
   */
  send(currency: DemoCurrency, to: string, units: bigint): Promise<string>;
  /** Sends through a contract, as smart wallets pay. */
  sendThroughContract(currency: DemoCurrency, to: string, units: bigint): Promise<string>;
  headNumber(): Promise<number>;
  /** The current balance of an address in the chain's coin, in base units. */
  coinsOf(address: string): Promise<bigint>;
  /** Waits for the block and returns its number; throws a CommandError where the transaction failed. */
  minedIn(txid: string): Promise<number>;
}

/** Several sends at once keep their order. */
export function payerOf(chain: DemoChain): Payer {
  return payers[chain.family](chain);
}

const payers: Readonly<Record<ChainFamily, (chain: DemoChain) => Payer>> = { evm: evmPayer, tron: tronPayer };

function evmPayer(chain: DemoChain): Payer {
  const faucet = createFaucet({
    rpcUrl: chain.rpc_url,
    chainId: chain.chain_id,
    privateKey: hex(chain.payer.private_key),
  });
  let forwarder: Hex | undefined;
  return {
    sendThroughContract: async (currency, to, units) => {
      forwarder ??= (await faucet.deploy('forwarder', [])).address;
      if (currency.contract === '')
        return faucet.send(callOf('forwarder', forwarder, 'forward', [hex(to)], units));
      await faucet.sendToken(hex(currency.contract), forwarder, units);
      return faucet.send(
        callOf('forwarder', forwarder, 'forwardToken', [hex(currency.contract), hex(to), units]),
      );
    },
    headNumber: async () => Number(await callRpcHex(chain.rpc_url, 'eth_blockNumber', [])),
    send: (currency, to, units) =>
      currency.contract === ''
        ? faucet.sendNative(hex(to), units)
        : faucet.sendToken(hex(currency.contract), hex(to), units),
    coinsOf: (address) => faucet.balanceOf(hex(address)),
    minedIn: async (txid) => blockOf(await faucet.outcome(hex(txid)), txid),
  };
}

function tronPayer(chain: DemoChain): Payer {
  const faucet = createTronFaucet({ rpcUrl: chain.rpc_url, privateKey: chain.payer.private_key });
  const forward = createTronForwarder(faucet);
  return {
    sendThroughContract: (currency, to, units) => forward(currency.contract, to, units),
    headNumber: () => faucet.headNumber(),
    send: (currency, to, units) =>
      currency.contract === '' ? faucet.sendTrx(to, units) : faucet.sendToken(currency.contract, to, units),
    coinsOf: (address) => faucet.balanceOf(address),
    minedIn: async (txid) => blockOf(await faucet.outcome(txid), txid),
  };
}

function blockOf(
  { succeeded, blockNumber }: { readonly succeeded: boolean; readonly blockNumber: number },
  txid: string,
): number {
  if (!succeeded) throw new CommandError(`the transaction ${txid} failed on the chain`);
  return blockNumber;
}

function hex(text: string): Hex {
  if (!/^0x[0-9a-fA-F]+$/.test(text)) throw new CommandError(`${text} is no address or key of an EVM chain`);
  return `0x${text.slice(2)}`;
}
