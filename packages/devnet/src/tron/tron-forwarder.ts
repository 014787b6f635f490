// Pays on a Tron dev chain through a contract, as smart wallets do.
import { parseAddress } from '@ducat/tron-dev/protocol/address';
import { callOf, deploymentOf } from '../contracts/contracts.ts';
import type { TronFaucet } from './tron-faucet.ts';

/** `token` is "" for TRX. Resolves with the id of the paying transaction, once the node has accepted it. */
export type TronForwarder = (token: string, to: string, units: bigint) => Promise<string>;

/** Makes a forwarder. Its contract is deployed before the first payment. */
export function createTronForwarder(faucet: TronFaucet): TronForwarder {
  let forwarder: string | undefined;
  return async (token, to, units) => {
    forwarder ??= await faucet.deploy(deploymentOf('forwarder', []));
    const [place, receiver] = [inContracts(forwarder), inContracts(to)];
    if (token === '')
      return faucet.call(forwarder, callOf('forwarder', place, 'forward', [receiver]).data, units);
    await faucet.sendToken(token, forwarder, units);
    const call = callOf('forwarder', place, 'forwardToken', [inContracts(token), receiver, units]);
    return faucet.call(forwarder, call.data, 0n);
  };
}

/** An address as contracts write it: 20 bytes in hex. */
function inContracts(text: string): `0x${string}` {
  const address = parseAddress(text);
  if (address === null) throw new Error(`${text} is no Tron address`);
  return `0x${address.slice(2)}`;
}
