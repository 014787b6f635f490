// Sweeps: EIP-7702 authorisations by deposit addresses, for the sweeper of their wallet alone, and the calls of sweeps.
import { keccak_256 } from '@noble/hashes/sha3.js';
import { deploymentCall, SWEEPER_FACTORY, sweepCall, sweeperAddress } from '@ducat/core/collection/sweeper';
import type { KeyPath } from '@ducat/core/signing/key-path';
import type { EvmTransferIntent, TransferIntent } from '@ducat/core/signing/transfer-intent';
import { type KeyPair, signDigest } from './recoverable-signature.ts';
import { encodeRlp, integerBytes, type RlpItem, withoutZeros } from './rlp.ts';

/** The first byte of the message of an authorisation, so that its signature cannot be that of a transaction. */
const authorisationMagic = Buffer.from([0x05]);

/** The paths of the keys whose addresses a sweep empties, in its order. Empty for other intents. */
export function sweptPaths({ subject, ...intent }: TransferIntent): readonly KeyPath[] {
  if (intent.family !== 'evm' || intent.sweeping?.type !== 'sweep' || !('recipient' in subject)) return [];
  const { account } = subject.recipient;
  return intent.sweeping.from.map(({ index }) => ({ account, branch: 'deposit', index }));
}

/** Destination and data of the transaction of a sweep or deployment, which carries no coin. Null for other intents. */
export function sweepingCall({ to: wallet, contract, sweeping }: EvmTransferIntent): {
  readonly to: string;
  readonly data: Uint8Array;
} | null {
  if (sweeping === undefined) return null;
  if (sweeping.type === 'deploy')
    return { to: SWEEPER_FACTORY.address, data: Buffer.from(deploymentCall(wallet), 'hex') };
  if (sweeping.type === 'nothing') return { to: wallet, data: Buffer.alloc(0) };
  if (contract === null) throw new Error('A sweep is of a token.');
  const addresses = sweeping.from.map(({ address }) => address);
  return { to: sweeperAddress(wallet, keccak), data: Buffer.from(sweepCall(contract, addresses), 'hex') };
}

/** The signed authorisations of a sweep, each by the key at its place. Empty where all its addresses delegate already. */
export function signAuthorisations(
  intent: EvmTransferIntent,
  withKey: <Value>(path: KeyPath, use: (key: KeyPair) => Value) => Value,
): readonly RlpItem[] {
  const { sweeping, chainId, to: wallet } = intent;
  if (sweeping?.type !== 'sweep') return [];
  if (chainId === 0) throw new Error('An authorisation for chain 0 would hold on every chain.');
  const paths = sweptPaths(intent);
  const sweeper = Buffer.from(sweeperAddress(wallet, keccak).slice(2), 'hex');
  return sweeping.from.flatMap(({ nonce }, place) => {
    const path = paths[place];
    if (nonce === null || path === undefined) return [];
    const fields = [integerBytes(chainId), sweeper, integerBytes(nonce)];
    const digest = keccak_256(Buffer.concat([authorisationMagic, encodeRlp(fields)]));
    const { r, s, recovery } = withKey(path, (key) => signDigest(digest, key));
    return [[...fields, integerBytes(recovery), withoutZeros(r), withoutZeros(s)]];
  });
}

function keccak(hex: string): string {
  return Buffer.from(keccak_256(Buffer.from(hex, 'hex'))).toString('hex');
}
