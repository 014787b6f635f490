// Decides which user PostgreSQL runs as: it refuses to run as root, so root has to become another user.
import type { SpawnOptions } from 'node:child_process';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { openPlace } from '../process/open-place.ts';
import type { PostgresBinaries } from './binaries.ts';
import { copyBinaries } from './binaries.ts';

/** One program call, ready for spawn. */
export interface Call {
  readonly command: string;
  readonly args: readonly string[];
  readonly options: Pick<SpawnOptions, 'uid' | 'gid'>;
}

/**
 * How this machine can run PostgreSQL. `dataDir` is the actual place of the cluster, which differs from the one that
 * was asked for only with `copy`. `fileOwner` is the uid and gid that its files must have.
 */
export interface PostgresLauncher {
  readonly way: Way;
  readonly binaries: PostgresBinaries;
  readonly dataDir: string;
  readonly fileOwner: Owner | undefined;
  /** Turns a command into the call that runs it as the right user. */
  readonly wrap: (command: string, args: readonly string[]) => Call;
}

/**
 * plain: as the current user. drop: as another user. userns: mapped in a user namespace. copy: as drop, with everything
 * copied to a place that all users can reach.
 */
export type Way = 'plain' | 'drop' | 'userns' | 'copy';

/** The numeric user and group that files belong to. */
export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Picks the first way that works for this data folder. Only root has a choice. A missing folder is created, and an
 * existing cluster is given to the chosen user. No server may run on it meanwhile.
 */
export function choosePostgresLauncher(
  binaries: PostgresBinaries,
  dataDir: string,
  ways: readonly Way[] = process.getuid?.() === 0 ? ['drop', 'userns', 'copy'] : ['plain'],
): PostgresLauncher {
  const pointer = movedTo(dataDir);
  const tried: string[] = [];
  const users = ways.some((way) => way !== 'plain') ? unprivilegedUsers() : [];
  for (const way of pointer === undefined ? ways : (['copy'] as const)) {
    for (const user of way === 'plain' ? [undefined] : users) {
      const launcher = makeLauncher(way, binaries, dataDir, user);
      const failure = probe(launcher);
      if (failure === undefined) {
        prepareFolder(launcher.dataDir, launcher.fileOwner);
        return launcher;
      }
      tried.push(`${way}: ${failure}`);
    }
  }
  throw new Error(
    'The embedded PostgreSQL cannot run here. It needs a glibc Linux, macOS or Windows, and as root a user ' +
      `"postgres" or "nobody". Point DATABASE_URL to your own server instead. Tried ${tried.join(' | ')}`,
  );
}

/** The place that an earlier start had to move this cluster to, if any. */
export function movedTo(dataDir: string): string | undefined {
  const pointer = pointerFile(dataDir);
  return existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : undefined;
}

function pointerFile(dataDir: string): string {
  return `${dataDir}.location`;
}

function makeLauncher(
  way: Way,
  binaries: PostgresBinaries,
  dataDir: string,
  user: Owner | undefined,
): PostgresLauncher {
  if (user === undefined) {
    return {
      way,
      binaries,
      dataDir,
      fileOwner: undefined,
      wrap: (command, args) => ({ command, args, options: {} }),
    };
  }
  if (way === 'userns') {
    // Inside the namespace the files of root appear as the user's own, so their owner stays root.
    const root = { uid: 0, gid: 0 };
    const map = ['--user', `--map-user=${user.uid}`, `--map-group=${user.gid}`, '--'];
    const wrap = (command: string, args: readonly string[]): Call => ({
      command: 'unshare',
      args: [...map, command, ...args],
      options: {},
    });
    return { way, binaries, dataDir, fileOwner: root, wrap };
  }
  const place = way === 'copy' ? copyCluster(dataDir) : dataDir;
  const programs = way === 'copy' ? copyBinaries(binaries) : binaries;
  const wrap = (command: string, args: readonly string[]): Call => ({ command, args, options: user });
  return { way, binaries: programs, dataDir: place, fileOwner: user, wrap };
}

/**
 * Returns undefined when the program runs and the user can reach the data folder; otherwise what went wrong. The folder
 * and its files are given to the user only after that: a cluster has a thousand files.
 */
function probe(launcher: PostgresLauncher): string | undefined {
  prepareFolder(launcher.dataDir, undefined);
  const calls = [launcher.wrap(launcher.binaries.program('postgres'), ['--version'])];
  // Only a change of user can lose access to a folder that was just created. Windows has no ls.
  if (launcher.fileOwner !== undefined) calls.unshift(launcher.wrap('ls', ['-d', launcher.dataDir]));
  for (const { command, args, options } of calls) {
    const result = spawnSync(command, args, { ...options, cwd: launcher.dataDir, encoding: 'utf8' });
    if (result.status !== 0) return (result.error?.message ?? result.stderr).trim().slice(0, 300);
  }
  return undefined;
}

function unprivilegedUsers(): Owner[] {
  const users: Owner[] = [];
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((flag) => {
      const answer = spawnSync('id', [flag, name], { encoding: 'utf8' });
      return answer.status === 0 ? Number(answer.stdout.trim()) : 0;
    });
    if (uid !== undefined && gid !== undefined && uid > 0) users.push({ uid, gid });
  }
  return users;
}

/** Creates a folder with mode 0700 and gives it, with all its content, to the given owner. */
export function prepareFolder(dataDir: string, owner: Owner | undefined): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  chmodSync(dataDir, 0o700);
  if (owner === undefined) return;
  if (statSync(dataDir).uid === owner.uid && statSync(dataDir).gid === owner.gid) return;
  // The folder itself is changed last, so that an interrupted run starts again.
  for (const entry of readdirSync(dataDir, { recursive: true, encoding: 'utf8' })) {
    lchownSync(join(dataDir, entry), owner.uid, owner.gid);
  }
  chownSync(dataDir, owner.uid, owner.gid);
}

function copyCluster(dataDir: string): string {
  const place =
    movedTo(dataDir) ??
    join(openPlace(), `cluster-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`);
  if (movedTo(dataDir) === undefined) {
    if (existsSync(join(dataDir, 'PG_VERSION')))
      cpSync(dataDir, place, { recursive: true, verbatimSymlinks: true });
    writeFileSync(pointerFile(dataDir), `${place}\n`);
  }
  return place;
}
