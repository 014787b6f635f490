// Where a secret is read from: a file, the environment, or a terminal that does not show it.
import { open } from 'node:fs/promises';
import type { ReadStream } from 'node:tty';
import { errorCode } from './error-code.ts';
import { OperatorError } from './operator-error.ts';

const maxSecretBytes = 4096;

/**
 * The text of a file of at most `maxBytes` bytes. One line break at the end belongs to the editor, not to the secret.
 * Throws OperatorError 'missing-secret', which says what the file was for.
 */
export async function readSecretFile(path: string, what: string, maxBytes = maxSecretBytes): Promise<string> {
  const text = await readBounded(path, what, maxBytes);
  return text.replace(/\r?\n$/, '');
}

/** Takes a secret from the environment and removes it there, so that no child process or error dump repeats it. */
export function takeFromEnvironment(name: string): string | undefined {
  const value = process.env[name];
  delete process.env[name];
  return value;
}

/**
 * Asks on the terminal without echo; undefined when there is no terminal to ask on.
 * The question goes to standard error, so that standard output stays clean. Ctrl-C throws OperatorError 'usage'.
 */
export async function askHidden(question: string): Promise<string | undefined> {
  const { stdin, stderr } = process;
  if (!stdin.isTTY) return undefined;
  stderr.write(question);
  stdin.setRawMode(true);
  try {
    return await readRawLine(stdin);
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    stderr.write('\n');
  }
}

function readRawLine(stdin: ReadStream): Promise<string> {
  return new Promise((resolve, reject) => {
    let typed: string[] = [];
    const finish = (action: () => void) => {
      stdin.off('data', take);
      action();
    };
    const take = (chunk: Buffer | string) => {
      for (const key of String(chunk)) {
        if (key === '\r' || key === '\n' || key === '\u0004') return finish(() => resolve(typed.join('')));
        if (key === '\u0003') return finish(() => reject(new OperatorError('usage', 'Interrupted.')));
        if (key === '\u007f' || key === '\b') typed = typed.slice(0, -1);
        else if (key >= ' ' && typed.length < maxSecretBytes) typed.push(key);
      }
    };
    stdin.setEncoding('utf8');
    stdin.on('data', take);
    stdin.resume();
  });
}

async function readBounded(path: string, what: string, maxBytes: number): Promise<string> {
  try {
    const file = await open(path, 'r');
    try {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(maxBytes + 1), 0, maxBytes + 1, 0);
      if (bytesRead > maxBytes)
        throw new OperatorError('missing-secret', `The file with ${what} is too large: ${path}`);
      const text = buffer.toString('utf8', 0, bytesRead);
      buffer.fill(0);
      return text;
    } finally {
      await file.close();
    }
  } catch (error) {
    const code = errorCode(error);
    if (error instanceof OperatorError || code === undefined) throw error;
    throw new OperatorError('missing-secret', `The file with ${what} cannot be read (${code}): ${path}`);
  }
}
