// Balances of many addresses at one block, in as few calls as the provider lets us.
import type { Currency } from '@ducat/core/chain/currency';
import type { BlockHeader } from '@ducat/core/chain/transfer';
import { Outage } from '../../../runtime/outage.ts';
import { AnswerTooLarge } from '../../rpc/answer-too-large.ts';
import { invalidAnswer } from '../../rpc/invalid-answer.ts';
import { balancesPerCall } from '../../rpc/limits.ts';
import type { JsonRpc } from '../json-rpc.ts';
import { NodeError } from '../node-error.ts';
import { balanceOfData, type MulticallForm, multicallData, readMulticall } from './multicall.ts';

const saysTooMuch =
  /out ?of ?gas|gas (?:required exceeds|limit)|max (?:init)?code ?size|CreateContractSizeLimit/i;
const word = /^0x[0-9a-fA-F]{64}$/;
const quantity = /^0x(?:0|[1-9a-fA-F][0-9a-fA-F]{0,63})$/;

/** What is asked for at once; `at` is named by its hash (EIP-1898), so that no other branch answers. */
interface Part {
  readonly holders: readonly string[];
  readonly currency: Currency;
  readonly at: BlockHeader;
}

/** Of one provider, of which it remembers what it can do. */
export class Balances {
  readonly #rpc: JsonRpc;
  /** To be tried in this order: one once it has worked, none once all were refused. */
  #forms: readonly MulticallForm[] = ['revert', 'return'];

  constructor(rpc: JsonRpc) {
    this.#rpc = rpc;
  }

  /**
   * Base units after that block, in the order of the holders, which are lower-case addresses. Throws Outage 'unsupported'
   * where the token has no balance of one of them or the state is gone, 'invalid' where the answer is of another block.
   */
  async read(holders: readonly string[], currency: Currency, at: BlockHeader): Promise<readonly bigint[]> {
    const units: bigint[] = [];
    for (let start = 0; start < holders.length; start += balancesPerCall) {
      const part = { holders: holders.slice(start, start + balancesPerCall), currency, at };
      units.push(...(await this.#readPart(part)));
    }
    return units;
  }

  async #readPart(part: Part): Promise<readonly bigint[]> {
    const isKnown = this.#forms.length === 1;
    for (const form of this.#forms) {
      try {
        const units = await this.#readAtOnce(form, part);
        if (units !== null) this.#forms = [form];
        if (units !== null) return units;
      } catch (error) {
        if (part.holders.length > 1 && isTooMuch(error)) return this.#readHalves(part);
        if (isKnown || !(error instanceof NodeError) || !error.isOfTheCall) throw error;
      }
    }
    const units = await this.#readSingly(part, part.holders);
    this.#forms = [];
    return units;
  }

  async #readHalves(part: Part): Promise<readonly bigint[]> {
    const middle = Math.ceil(part.holders.length / 2);
    const first = await this.#readPart({ ...part, holders: part.holders.slice(0, middle) });
    return [...first, ...(await this.#readPart({ ...part, holders: part.holders.slice(middle) }))];
  }

  /** Null where the provider answers with something else. */
  async #readAtOnce(form: MulticallForm, part: Part): Promise<readonly bigint[] | null> {
    const { holders, currency, at } = part;
    const data = multicallData(form, currency.contract?.toLowerCase() ?? null, holders);
    const answer = readMulticall(await this.#rpc.execute({ data }, { blockHash: at.hash }), holders.length);
    if (answer === null) return null;
    if (answer.number !== at.number || answer.parentHash !== at.parentHash)
      throw invalidAnswer(`answered with balances of another block than ${at.number}`);
    // What a token did not give for some is asked for alone, so that it says why.
    const missing = holders.filter((_, index) => answer.balances[index] === null);
    const alone = await this.#readSingly(part, missing);
    let next = 0;
    return answer.balances.map((balance) => balance ?? alone[next++] ?? 0n);
  }

  async #readSingly({ currency, at }: Part, holders: readonly string[]): Promise<readonly bigint[]> {
    const { contract, symbol } = currency;
    const block = { blockHash: at.hash };
    const requests = holders.map((holder) =>
      contract === null
        ? { method: 'eth_getBalance', params: [holder, block] }
        : { method: 'eth_call', params: [{ to: contract, data: balanceOfData(holder) }, block] },
    );
    const answers = await this.#rpc.batch(requests).catch((error: unknown) => {
      if (contract === null || !(error instanceof NodeError) || !error.isOfTheCall) throw error;
      throw new Outage(`cannot tell a balance of ${symbol}: ${error.message}`, { kind: 'unsupported' });
    });
    return answers.map(({ tape, place }) => {
      const answer = tape.isText(place) ? tape.text(place) : '';
      if ((contract === null ? quantity : word).test(answer)) return BigInt(answer);
      if (contract === null || !answer.startsWith('0x'))
        throw invalidAnswer(`answered with something that is no balance of ${symbol}`);
      throw new Outage(`${contract} has no balance of ${symbol}`, { kind: 'unsupported' });
    });
  }
}

function isTooMuch(error: unknown): boolean {
  if (error instanceof AnswerTooLarge) return !error.isLate;
  return error instanceof NodeError && saysTooMuch.test(error.message);
}
