// What the checkers found wrong: by which checker, when, in words.

export interface Finding {
  /** The checker, and with it the invariant, that was broken. */
  readonly checker: string;
  readonly message: string;
  readonly step: number;
}

/** More than this many findings of one run say nothing new. */
const MAX_FINDINGS = 20;

export class Findings {
  readonly list: Finding[] = [];
  readonly #step: () => number;
  readonly #seen = new Set<string>();

  constructor(step: () => number) {
    this.#step = step;
  }

  add(checker: string, message: string): void {
    const key = `${checker} ${message}`;
    if (this.#seen.has(key) || this.list.length >= MAX_FINDINGS) return;
    this.#seen.add(key);
    this.list.push({ checker, message, step: this.#step() });
  }

  /** Adds a finding unless the condition holds. */
  expect(condition: boolean, checker: string, message: string): void {
    if (!condition) this.add(checker, message);
  }
}
