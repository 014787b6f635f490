// Sends generated requests until the wanted number is reached, and collects what was wrong with the answers.
import fc from 'fast-check';
import { checkAnswer } from './check-answer.ts';
import { type Answer, type Line, openLine, type Target } from './exchange.ts';
import { growthOf, lookAtMemory, type MemoryGrowth, type MemoryLook } from './memory.ts';
import { type Operation, readOperations } from './operation.ts';
import { type FuzzRequest, fuzzRequests } from './request.ts';
import type { Known } from './schema-values.ts';

export interface FuzzPlan {
  readonly requests: number;
  readonly seed: number;
  readonly connections: number;
}

export interface Finding {
  /** The number of the request in the run. With the seed, it draws the same request again. */
  readonly number: number;
  readonly trouble: string;
  readonly request: FuzzRequest;
  readonly answer: Answer | null;
}

export interface FuzzResult {
  readonly sent: number;
  readonly findings: readonly Finding[];
  /** How many answers carried each code. */
  readonly codes: ReadonlyMap<number, number>;
  /** The out_trade_no of every order that was acknowledged. */
  readonly ordered: ReadonlySet<string>;
  readonly memory: MemoryGrowth;
}

/** Requests that are drawn at once. After each batch the memory is sampled. */
const BATCH = 250;
/** The run ends after so many findings, so that a gateway that answers everything wrongly is reported early. */
const MAX_FINDINGS = 50;

/** What a fuzz run needs to know of its target beyond the API. */
export interface FuzzTarget extends Target {
  readonly metricsUrl: string;
}

/** Runs the plan. The same seed draws the same requests as long as the gateway gives the same answers. */
export async function runFuzz(target: FuzzTarget, plan: FuzzPlan): Promise<FuzzResult> {
  const document: unknown = await (await fetch(`${target.apiUrl}/openapi.json`)).json();
  const operations = readOperations(document);
  const run = new Run(target, openLine(target, plan.connections));
  try {
    for (let from = 0; from < plan.requests && run.findings.length < MAX_FINDINGS; from += BATCH) {
      const numRuns = Math.min(BATCH, plan.requests - from);
      const drawn = fc.sample(fuzzRequests(operations, run.known), { seed: plan.seed + from, numRuns });
      await run.sendAll(drawn, from, plan.connections);
      run.looks.push(await lookAtMemory(target.metricsUrl));
    }
  } finally {
    run.line.close();
  }
  const { sent, findings, codes, ordered, looks } = run;
  return { sent, findings, codes, ordered, memory: growthOf(looks) };
}

class Run {
  readonly target: Target;
  readonly line: Line;
  readonly findings: Finding[] = [];
  readonly codes = new Map<number, number>();
  readonly ordered = new Set<string>();
  readonly looks: MemoryLook[] = [];
  sent = 0;
  #known: Known = {
    fiat_name: ['USD', 'EUR'],
    fiat_amount: ['10', '0.99'],
    token_amount: ['1', '12.5'],
    callback_url: ['https://shop.example/hook'],
    redirect_url: ['https://shop.example/thanks'],
    time_out: [0],
  };

  constructor(target: Target, line: Line) {
    this.target = target;
    this.line = line;
  }

  get known(): Known {
    return this.#known;
  }

  /** Sends the requests, so many at once. */
  async sendAll(requests: readonly FuzzRequest[], from: number, lines: number): Promise<void> {
    const waiting = requests.entries();
    const work = async () => {
      for (const [at, request] of waiting) await this.#try(request, from + at);
    };
    await Promise.all(Array.from({ length: lines }, work));
  }

  async #try(request: FuzzRequest, number: number): Promise<void> {
    const first = await this.#exchange(request, number);
    if (first === null || !request.isRepeated || request.fault !== null) return;
    const second = await this.#exchange(request, number);
    if (second !== null && isOtherOrder(request.operation, first, second)) {
      this.findings.push({ number, trouble: 'the same order got another answer', request, answer: second });
    }
  }

  async #exchange(request: FuzzRequest, number: number): Promise<Answer | null> {
    this.sent += 1;
    try {
      const answer = await this.line.send(request);
      const trouble = checkAnswer(request, answer, this.target, Date.now() / 1000);
      if (trouble !== null) this.findings.push({ number, trouble, request, answer });
      else this.#learn(request, answer);
      return answer;
    } catch (error) {
      this.findings.push({ number, trouble: `no answer: ${String(error)}`, request, answer: null });
      return null;
    }
  }

  /** Keeps values of answers for later requests, as a merchant would. A random number would never name an existing order. */
  #learn(request: FuzzRequest, { text }: Answer): void {
    const { code, data } = JSON.parse(text);
    this.codes.set(code, (this.codes.get(code) ?? 0) + 1);
    if (code !== 0) return;
    if (Array.isArray(data))
      this.#remember(
        'currency_id',
        data.slice(0, 20).map(({ currency_id }) => currency_id),
      );
    if (!isCreate(request.operation)) return;
    const { out_trade_no } = JSON.parse(Buffer.from(request.body.bytes).toString());
    this.ordered.add(out_trade_no);
    this.#remember('trade_no', [data.trade_no]);
    this.#remember('out_trade_no', [out_trade_no]);
  }

  #remember(name: string, values: readonly unknown[]): void {
    const all = new Set([...values, ...(this.#known[name] ?? [])]);
    this.#known = { ...this.#known, [name]: [...all].slice(0, 40) };
  }
}

/** Whether an operation makes an order, which its `out_trade_no` identifies. */
function isCreate({ operationId }: Operation): boolean {
  return operationId.endsWith('create-order') || operationId.endsWith('pre-create');
}

/** Whether a repeated order/create or entrust/pre-create was not answered with the same order. */
function isOtherOrder(operation: Operation, first: Answer, second: Answer): boolean {
  if (!isCreate(operation)) return false;
  const [one, other] = [first, second].map(({ text }) => JSON.parse(text));
  return one.code === 0 && (other.code !== 0 || other.data.trade_no !== one.data.trade_no);
}
