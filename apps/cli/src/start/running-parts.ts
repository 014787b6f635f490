// The parts that a start has brought up, to be ended once each, in reverse order.

export interface RunningParts {
  /** Notes a part and how to end it. A part that may still be starting gives false where it never ran. */
  add(name: string, stop: () => Promise<void | false>): void;
  /**
   * Ends all parts, the newest first, and reports those that ran. A part that fails to end does not keep the others running;
   * its error is returned.
   */
  stopAll(report: (name: string) => void): Promise<readonly Error[]>;
}

export function runningParts(): RunningParts {
  const parts: { readonly name: string; readonly stop: () => Promise<void | false> }[] = [];
  return {
    add: (name, stop) => void parts.push({ name, stop }),
    async stopAll(report) {
      const troubles: Error[] = [];
      for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
        try {
          if ((await part.stop()) !== false) report(part.name);
        } catch (cause) {
          troubles.push(new Error(`${part.name} did not stop as it should`, { cause }));
        }
      }
      return troubles;
    },
  };
}
