// The keystore file on disk: written whole or not at all, private to its owner, never overwritten.
import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from '../error-code.ts';
import { maxKeystoreBytes } from './keystore-format.ts';
import { OperatorError } from '../operator-error.ts';

const isWindows = process.platform === 'win32';

/** Writes a new file with mode 0600 through temp, fsync and rename. Throws OperatorError 'keystore-exists'. */
export async function writeNew(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await writeSynced(temporary, text);
    // A rename would replace an existing file, so the name is reserved exclusively first: only one process can get it.
    await reserve(path);
    try {
      await rename(temporary, path);
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
  } finally {
    await rm(temporary, { force: true });
  }
  await syncFolder(dirname(path));
}

/** Reads the file as text. Throws OperatorError when it is missing, too large, or readable by other users. */
export async function readExisting(path: string): Promise<string> {
  const file = await openExisting(path);
  try {
    const about = await file.stat();
    if (!about.isFile() || about.size > maxKeystoreBytes) {
      throw new OperatorError('keystore-damaged', `${path} is not a keystore file.`);
    }
    if (about.size === 0) throw new OperatorError('keystore-damaged', emptyText(path));
    if (!isWindows && (about.mode & 0o077) !== 0) {
      throw new OperatorError('keystore-exposed', `Other users can reach ${path}. Run: chmod 600 ${path}`);
    }
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

async function openExisting(path: string) {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    throw new OperatorError(
      'keystore-missing',
      `There is no keystore at ${path}. Make one with: ducat-signer create`,
    );
  }
}

async function writeSynced(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text, 'utf8');
    await file.sync();
  } finally {
    await file.close();
  }
}

async function reserve(path: string): Promise<void> {
  try {
    const file = await open(path, 'wx', 0o600);
    await file.close();
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    const isEmpty = await stat(path).then(
      ({ size }) => size === 0,
      () => false,
    );
    const text = isEmpty ? emptyText(path) : `${path} already exists and is never overwritten.`;
    throw new OperatorError('keystore-exists', text);
  }
}

/**
 * The message for an empty file: its name was reserved, but the file was never filled. Words are shown only after the
 * file is whole, so removing an empty file loses nothing.
 */
function emptyText(path: string): string {
  return (
    `${path} is empty and holds no key: a create or import was cut off before it was done. ` +
    `If nothing is making it at this moment, run: rm ${path}, then create or import again.`
  );
}

/** Makes the new name itself survive a power cut. Windows has no such call for folders. */
async function syncFolder(path: string): Promise<void> {
  if (isWindows) return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
