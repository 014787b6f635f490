// Whether a wallet's sweeper exists, and which addresses delegate to it, as one node sees it after a block.
import { delegatedCode, sweeperAddress, sweeperCode } from '@ducat/core/collection/sweeper';
import type { BlockReference } from '../../port/reader.ts';
import type { SweepGround } from '../../port/writer.ts';
import { keccakOfBytes } from '../../keys/keccak.ts';
import { fewAtOnce } from '../../rpc/in-chunks.ts';
import { invalidAnswer } from '../../rpc/invalid-answer.ts';
import { numberIn } from '../quantity.ts';
import type { Calls } from './share-calls.ts';

const code = /^0x(?:[0-9a-fA-F]{2})*$/;

/** The sweeper's address in canonical text; `wallet` is canonical too. */
export function sweeperOf(wallet: string): string {
  return sweeperAddress(wallet, (hex) => keccakOfBytes(Buffer.from(hex, 'hex')));
}

export async function readSweepGround(
  rpc: Calls,
  wallet: string,
  addresses: readonly string[],
  { hash }: BlockReference,
): Promise<SweepGround> {
  const at = { blockHash: hash, requireCanonical: true };
  const sweeper = sweeperOf(wallet);
  const delegated = delegatedCode(sweeper);
  const account = async (address: string) => {
    const [found, count] = await Promise.all([
      readCode(rpc, address, at),
      rpc.call('eth_getTransactionCount', [address, at]),
    ]);
    const delegates = found === '0x' ? 'nowhere' : found === delegated ? 'to-sweeper' : 'elsewhere';
    return { nonce: numberIn(count), delegates } as const;
  };
  const there = await readCode(rpc, sweeper, at);
  return { hasSweeper: there === sweeperCode(wallet), accounts: await fewAtOnce(addresses, account) };
}

/** 0x and lower-case hex. */
export async function readCode(rpc: Calls, address: string, at: unknown): Promise<string> {
  const answer = await rpc.call('eth_getCode', [address, at]);
  if (typeof answer === 'string' && code.test(answer)) return answer.toLowerCase();
  throw invalidAnswer('answered with something that is no code');
}
