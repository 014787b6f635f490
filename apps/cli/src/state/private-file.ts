// Writes files that only their owner can read, whole or not at all.
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Writes a new file beside the old one and renames it into place; mode 0600. */
export function writePrivateFile(path: string, content: string): void {
  const fresh = `${path}.${process.pid}.new`;
  writeFileSync(fresh, content, { mode: 0o600 });
  // A leftover file of that name would keep its own, wider mode.
  chmodSync(fresh, 0o600);
  renameSync(fresh, path);
}

/** Makes the folder with mode 0700 unless it exists; an existing one is narrowed. */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  chmodSync(path, 0o700);
}

/** The text of the file. Where it is missing or empty, the text that `make` returns, which is then kept. */
export function readOrMake(path: string, make: () => string): string {
  if (existsSync(path)) {
    const kept = readFileSync(path, 'utf8').trim();
    if (kept !== '') return kept;
  }
  const made = make();
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writePrivateFile(path, `${made}\n`);
  return made;
}

/** The file as JSON. Undefined where it is missing or damaged, because the caller then makes it again. */
export function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
