// For tests: runs the built program as a process of its own and keeps all that it prints.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const built = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const program = fileURLToPath(new URL('../../bin/ducat-signer.mjs', import.meta.url));

/** A started signer. `output` is standard output and standard error together, as far as it has come. */
export interface SignerProcess {
  readonly child: ChildProcess;
  readonly output: () => string;
  /** Resolves with the exit code; rejects when it does not end within 20 seconds. */
  readonly exit: Promise<number | null>;
  /** Resolves when the text is in the output; rejects when the process ends without it. */
  readonly printed: (text: string) => Promise<void>;
}

/** Starts the program with no terminal, an environment of its own and optional flags for Node itself. */
export function startSigner(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  nodeFlags: readonly string[] = [],
): SignerProcess {
  if (!existsSync(built)) throw new Error('The signer is not built. Run: npx tsc -b packages/signer');
  const path = process.env['PATH'] ?? '';
  const child = spawn(process.execPath, [...nodeFlags, program, ...args], {
    env: { PATH: path, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  const waiting = new Set<() => void>();
  const take = (chunk: Buffer) => {
    text += chunk.toString('utf8');
    for (const look of waiting) look();
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  const exit = new Promise<number | null>((resolve, reject) => {
    const tooLong = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`The signer did not end. It printed: ${text}`));
    }, 20_000);
    child.on('close', (code) => {
      clearTimeout(tooLong);
      resolve(code);
    });
  });
  return { child, output: () => text, exit, printed: (wanted) => printed(wanted) };

  function printed(wanted: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = () => {
        if (!text.includes(wanted)) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      child.on('close', () => reject(new Error(`The signer ended without "${wanted}". It printed: ${text}`)));
      look();
    });
  }
}
