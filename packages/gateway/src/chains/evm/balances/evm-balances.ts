// Balances of many addresses at one block of an EVM chain.
import type { Currency } from '@ducat/core/chain/currency';
import type { BlockHeader } from '@ducat/core/chain/transfer';
import { addressesPerCall } from '@ducat/core/reserves/plan';
import { Outage } from '../../../runtime/outage.ts';
import { readBalances, type RunOutcome } from '../../balances/read-balances.ts';
import { AnswerTooLarge } from '../../rpc/answer-too-large.ts';
import { invalidAnswer } from '../../rpc/invalid-answer.ts';
import type { JsonRpc } from '../json-rpc.ts';
import { NodeError } from '../node-error.ts';

const tooMuch =
  /out ?of ?gas|gas (?:required exceeds|limit)|max (?:init)?code ?size|CreateContractSizeLimit/i;
const word = /^0x[0-9a-fA-F]{64}$/;
const quantity = /^0x(?:0|[1-9a-fA-F][0-9a-fA-F]{0,63})$/;

/**
 * Base units after the block `at`, in the order of the holders, which are lower-case addresses. Throws Outage 'unsupported'
 * where the token gives no balance of a holder or the state is gone, 'invalid' where the answer is of another block.
 */
export async function readEvmBalances(
  rpc: JsonRpc,
  holders: readonly string[],
  currency: Currency,
  at: BlockHeader,
): Promise<readonly bigint[]> {
  // The block is named by its hash (EIP-1898), so that no other branch answers.
  const block = { blockHash: at.hash };
  const run = async (code: string): Promise<RunOutcome> => {
    try {
      const answer = await rpc.call('eth_call', [{ data: `0x${code}` }, block]);
      return { data: typeof answer === 'string' ? answer.slice(2) : null, isTooMuch: false };
    } catch (error) {
      if (!saysTooMuch(error) && !(error instanceof NodeError && error.isOfTheCall)) throw error;
      return { data: null, isTooMuch: saysTooMuch(error) };
    }
  };
  const readSingly = async (some: readonly string[]) => ({
    at: at.number,
    units: await readEach(rpc, some, currency, block),
  });
  const source = { token: currency.contract, perCall: addressesPerCall.evm, block: at, run, readSingly };
  return (await readBalances(source, holders)).units;
}

async function readEach(
  rpc: JsonRpc,
  holders: readonly string[],
  { contract, symbol }: Currency,
  block: object,
): Promise<readonly bigint[]> {
  const requests = holders.map((holder) =>
    contract === null
      ? { method: 'eth_getBalance', params: [holder, block] }
      : { method: 'eth_call', params: [{ to: contract, data: balanceOfData(holder) }, block] },
  );
  const answers = await rpc.batch(requests).catch((error: unknown) => {
    if (contract === null || !(error instanceof NodeError) || !error.isOfTheCall) throw error;
    throw new Outage(`has no balance of ${symbol}: ${error.message}`, { kind: 'unsupported' });
  });
  return answers.map(({ tape, place }) => {
    const answer = tape.isText(place) ? tape.text(place) : '';
    if ((contract === null ? quantity : word).test(answer)) return BigInt(answer);
    if (contract === null || !answer.startsWith('0x'))
      throw invalidAnswer(`answered with something that is no balance of ${symbol}`);
    throw new Outage(`${contract} has no balance of ${symbol}`, { kind: 'unsupported' });
  });
}

/** The data of a call of `balanceOf`. */
export function balanceOfData(holder: string): string {
  return `0x70a08231${holder.slice(2).padStart(64, '0')}`;
}

function saysTooMuch(error: unknown): boolean {
  if (error instanceof AnswerTooLarge) return !error.isLate;
  return error instanceof NodeError && tooMuch.test(error.message);
}
