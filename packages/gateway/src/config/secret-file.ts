// Reads secrets from files that only their owner can read.
import { readFileSync, statSync } from 'node:fs';
import { ConfigError } from './config-error.ts';

const READABLE_BY_OTHERS = 0o077;
const READABLE_BY_EVERYBODY = 0o004;

/** The file's text without surrounding white space. Outside the demo a file that others can read is refused. */
export function readSecret(entry: string, path: string, demo: boolean, shortest = 16): string {
  const mode = fileMode(entry, path);
  if (!demo && process.platform !== 'win32' && (mode & READABLE_BY_OTHERS) !== 0) {
    throw new ConfigError(`${entry}: ${path} can be read by others; chmod 600 it`);
  }
  const text = fileText(entry, path).trim();
  if (text.length < shortest)
    throw new ConfigError(`${entry}: ${path} holds fewer than ${shortest} characters`);
  return text;
}

/** Refuses a file with a password that everybody on the machine can read. The file's group may read it. */
export function requirePrivate(entry: string, path: string): void {
  if (process.platform === 'win32' || (fileMode(entry, path) & READABLE_BY_EVERYBODY) === 0) return;
  throw new ConfigError(`${entry}: ${path} holds a password and can be read by everybody; chmod 640 it`);
}

/** The text of a file that anybody may read, such as a certificate. */
export function readPublicFile(entry: string, path: string): string {
  return fileText(entry, path);
}

function fileMode(entry: string, path: string): number {
  try {
    return statSync(path).mode;
  } catch (error) {
    throw unreadable(entry, path, error);
  }
}

/** Reading can fail although the mode was read, such as for a folder or for another user's file. */
function fileText(entry: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw unreadable(entry, path, error);
  }
}

function unreadable(entry: string, path: string, error: unknown): ConfigError {
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
  return new ConfigError(`${entry}: ${path} cannot be read${code}`);
}
