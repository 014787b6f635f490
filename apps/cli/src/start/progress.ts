// One line per step while the demo starts: the step and how long it took.
import type { Palette } from '../terminal.ts';

export interface Progress {
  /** Runs a step and shows it. `result` gives a short text about the outcome. */
  step<T>(what: string, work: () => Promise<T>, result?: (value: T) => string): Promise<T>;
  /** Shows a remark. */
  note(text: string): void;
}

/**
 * Writes one whole line at a time to `write`, so that the output is readable in logs too. Once `stopping` is aborted,
 * no further step begins, and the abort's reason is thrown instead.
 */
export function lineProgress(
  write: (line: string) => void,
  { green, red, yellow, dim }: Palette,
  stopping: AbortSignal,
): Progress {
  return {
    async step(what, work, result) {
      stopping.throwIfAborted();
      const startedMs = performance.now();
      try {
        const value = await work();
        const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
        write(
          `  ${green('✓')} ${what}${result === undefined ? '' : dim(`: ${result(value)}`)} ${dim(`(${seconds} s)`)}`,
        );
        return value;
      } catch (error) {
        write(`  ${red('✗')} ${what}`);
        throw error;
      }
    },
    note: (text) => write(`  ${yellow('!')} ${text}`),
  };
}
