// Finds the programs of a Patroni cluster on this machine: npm has none of them, Debian's packages have all.
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const PACKAGES = 'patroni etcd-server postgresql';
const SERVERS = '/usr/lib/postgresql';

/** Each program by its path; PostgreSQL by its folder of programs. */
export interface InstalledPatroni {
  readonly patroni: string;
  readonly etcd: string;
  readonly postgresPrograms: string;
  /** `unshare` puts a machine of the run into namespaces of its own; `setpriv` gives up the rights of root. */
  readonly unshare: string;
  readonly setpriv: string;
}

/** Throws an Error that says what to install, or why it cannot work here. */
export function findPatroni(): InstalledPatroni {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    throw new Error(
      'a Patroni cluster needs Linux and root, which may give each machine a process namespace',
    );
  return {
    patroni: program('patroni'),
    etcd: program('etcd'),
    postgresPrograms: newestServer(),
    unshare: program('unshare'),
    setpriv: program('setpriv'),
  };
}

function program(name: string): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const found = folders.map((folder) => join(folder, name)).find(isExecutable);
  if (found === undefined) throw new Error(`${name} is not installed; Debian has it: ${PACKAGES}`);
  return found;
}

/** The server that DUCAT_TEST_POSTGRES names, or else the newest that Debian's packages have installed. */
function newestServer(): string {
  const named = process.env['DUCAT_TEST_POSTGRES'];
  if (named !== undefined) return join(named, 'bin');
  const versions = existsSync(SERVERS) ? readdirSync(SERVERS).map(Number).filter(Number.isInteger) : [];
  if (versions.length === 0) throw new Error(`no server stands in ${SERVERS}; Debian has one: ${PACKAGES}`);
  return join(SERVERS, String(Math.max(...versions)), 'bin');
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
