// One line per step while the demo starts: what, and how long it took.
import type { Palette } from '../terminal.ts';

export interface Progress {
  /** Runs a step and shows it. `result` says in a few words what came out of it. */
  step<T>(what: string, work: () => Promise<T>, result?: (value: T) => string): Promise<T>;
  /** Shows a remark. */
  note(text: string): void;
}

/**
 * Writes to `write` one whole line at a time, so that it reads well in logs too. No step begins any more once
 * `stopping` is aborted: the abort's reason is thrown instead.
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
