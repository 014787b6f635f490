// Where a secret is read from: a file, the environment, or a terminal that does not show it.
import type { Stats } from 'node:fs';
import { open } from 'node:fs/promises';
import type { ReadStream } from 'node:tty';
import { errorCode } from './error-code.ts';
import { OperatorError } from './operator-error.ts';

const maxTypedCharacters = 4096;

/** A file that has to be guarded from others: from reading, from writing alone, or not at all in the demo. */
export interface GuardedFile {
  /** What the file holds, for messages. */
  readonly what: string;
  readonly maxBytes: number;
  readonly guard: 'private' | 'unwritable' | 'none';
}

const forbiddenModes: Readonly<Record<GuardedFile['guard'], number>> = {
  private: 0o077,
  unwritable: 0o022,
  none: 0,
};

/**
 * The text of the file. One line break at the end belongs to the editor, not to the secret.
 * Throws OperatorError 'missing-secret' or 'file-exposed', which say what the file was for.
 */
export async function readSecretFile(path: string, file: GuardedFile): Promise<string> {
  const text = await readBounded(path, file);
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
        else if (key >= ' ' && typed.length < maxTypedCharacters) typed.push(key);
      }
    };
    stdin.setEncoding('utf8');
    stdin.on('data', take);
    stdin.resume();
  });
}

async function readBounded(path: string, { what, maxBytes, guard }: GuardedFile): Promise<string> {
  try {
    const file = await open(path, 'r');
    try {
      if (isExposed(await file.stat(), guard)) {
        const narrower = guard === 'private' ? '600' : 'go-w';
        throw new OperatorError(
          'file-exposed',
          `Other users can ${guard === 'private' ? 'reach' : 'change'} the file with ${what}. Run: chmod ${narrower} ${path}`,
        );
      }
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

/**
 * Whether other users have more access than the guard allows. A file of root may be readable for root's own group,
 * because service managers pass credentials in this way.
 */
function isExposed({ mode, uid, gid }: Stats, guard: GuardedFile['guard']): boolean {
  if (process.platform === 'win32') return false;
  const trusted = uid === 0 && gid === 0 ? 0o040 : 0;
  return (mode & forbiddenModes[guard] & ~trusted) !== 0;
}
