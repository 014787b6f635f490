// Balances of many addresses at one block, in as few calls as the provider lets us.
import type { Currency } from '@ducat/core/chain/currency';
import type { BlockHeader } from '@ducat/core/chain/transfer';
import { Outage } from '../../../runtime/outage.ts';
import { AnswerTooLarge } from '../../rpc/answer-too-large.ts';
import { invalidAnswer } from '../../rpc/invalid-answer.ts';
import { balancesPerCall } from '../../rpc/limits.ts';
import { type JsonRpc, toQuantity } from '../json-rpc.ts';
import { NodeError } from '../node-error.ts';
import { balanceOfData, type MulticallForm, multicallData, readMulticall } from './multicall.ts';

const invalidParams = -32602;
const saysTooMuch =
  /out ?of ?gas|gas (?:required exceeds|limit)|max (?:init)?code ?size|CreateContractSizeLimit/i;
const word = /^0x[0-9a-fA-F]{64}$/;
const quantity = /^0x(?:0|[1-9a-fA-F][0-9a-fA-F]{0,63})$/;

/** What is asked for at once. */
interface Part {
  readonly holders: readonly string[];
  readonly currency: Currency;
  readonly at: BlockHeader;
  /** How the request names the block. */
  readonly block: unknown;
}

/** Of one provider, of which it remembers what it can do. */
export class Balances {
  readonly #rpc: JsonRpc;
  /** To be tried in this order: one once it has worked, none once all were refused. */
  #forms: readonly MulticallForm[] = ['revert', 'return'];
  /** Whether the provider lets a block be named by its hash (EIP-1898). */
  #takesHash = true;

  constructor(rpc: JsonRpc) {
    this.#rpc = rpc;
  }

  /**
   * Base units after that block, in the order of the holders, which are lower-case addresses. Throws Outage 'unsupported'
   * where the token has no balance of one of them or the state is gone, 'invalid' where the answer is of another branch.
   */
  async read(holders: readonly string[], currency: Currency, at: BlockHeader): Promise<readonly bigint[]> {
    const units: bigint[] = [];
    for (let start = 0; start < holders.length; start += balancesPerCall) {
      const part = { holders: holders.slice(start, start + balancesPerCall), currency, at };
      units.push(...(await this.#readAtBlock(part)));
    }
    return units;
  }

  /** By hash; where the provider does not know that, by number, with the hash compared afterwards. */
  async #readAtBlock(part: Omit<Part, 'block'>): Promise<readonly bigint[]> {
    const { at } = part;
    if (this.#takesHash) {
      try {
        return await this.#readPart({ ...part, block: { blockHash: at.hash } });
      } catch (error) {
        if (!(error instanceof NodeError) || error.code !== invalidParams) throw error;
      }
    }
    const units = await this.#readPart({ ...part, block: toQuantity(at.number) });
    const answer = await this.#rpc.read('eth_getBlockByNumber', [toQuantity(at.number), false]);
    const hash = answer === null ? -1 : answer.tape.field(answer.place, 'hash');
    if (answer === null || hash === -1 || answer.tape.text(hash).toLowerCase() !== at.hash)
      throw new Outage(`has another block ${at.number} than ${at.hash}`, { kind: 'not-yet' });
    this.#takesHash = false;
    return units;
  }

  async #readPart(part: Part): Promise<readonly bigint[]> {
    const isKnown = this.#forms.length === 1;
    for (const form of this.#forms) {
      try {
        const units = await this.#readByMulticall(form, part);
        this.#forms = [form];
        return units;
      } catch (error) {
        if (isTooMuch(error) && part.holders.length > 1) return this.#readHalves(part);
        if (isKnown || !isRefused(error)) throw error;
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

  async #readByMulticall(form: MulticallForm, part: Part): Promise<readonly bigint[]> {
    const { holders, currency, at, block } = part;
    const data = multicallData(form, currency.contract?.toLowerCase() ?? null, holders);
    const answer = readMulticall(await this.#rpc.execute({ data }, block), holders.length);
    if (answer === null) throw new Refused();
    if (answer.number !== at.number || answer.parentHash !== at.parentHash)
      throw invalidAnswer(`answered with balances of another block than ${at.number}`);
    // Which ones a token that fails for some did not give: asked alone, so that it says why.
    const missing = holders.filter((_, index) => answer.balances[index] === null);
    const alone = missing.length === 0 ? [] : await this.#readSingly(part, missing);
    let next = 0;
    return answer.balances.map((balance) => balance ?? alone[next++] ?? 0n);
  }

  async #readSingly({ currency, block }: Part, holders: readonly string[]): Promise<readonly bigint[]> {
    const { contract, symbol } = currency;
    const requests = holders.map((holder) =>
      contract === null
        ? { method: 'eth_getBalance', params: [holder, block] }
        : { method: 'eth_call', params: [{ to: contract, data: balanceOfData(holder) }, block] },
    );
    const answers = await this.#rpc.batch(requests).catch((error: unknown) => {
      const isOfContract = error instanceof NodeError && error.isOfTheCall;
      if (contract === null || !isOfContract || error.code === invalidParams) throw error;
      throw new Outage(`cannot tell a balance of ${symbol}: ${error.message}`, { kind: 'unsupported' });
    });
    return answers.map(({ tape, place }) => {
      const answer = tape.isText(place) ? tape.text(place) : '';
      if ((contract === null ? quantity : word).test(answer)) return BigInt(answer);
      if (contract === null || !/^0x/.test(answer))
        throw invalidAnswer(`answered with something that is no balance of ${symbol}`);
      throw new Outage(`${contract} has no balance of ${symbol}`, { kind: 'unsupported' });
    });
  }
}

/** The provider gave back something that is no answer of the call. */
class Refused extends Outage {
  constructor() {
    super('answered a call for balances with something else', { kind: 'invalid' });
  }
}

/** Whether another form may get through; else it is the block, the rate or the provider. */
function isRefused(error: unknown): boolean {
  return (
    error instanceof Refused ||
    (error instanceof NodeError && error.kind === 'unavailable' && error.code !== invalidParams)
  );
}

function isTooMuch(error: unknown): boolean {
  if (error instanceof AnswerTooLarge) return !error.isLate;
  return error instanceof NodeError && saysTooMuch.test(error.message);
}
