// Runs programs in a built image, as compose.yaml says: with a read-only root, no capability, and a user of their own.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Calls buildah and gives what it said; its complaints go to the terminal. */
export function buildah(...args) {
  const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 2 ** 26 };
  return execFileSync('buildah', args, options).trim();
}

/** Host folders by the folder of the container; `:ro` behind it for one that is only read. */
const flagsOf = ({ user, volumes = {}, environment = {} }) => [
  '--isolation=chroot',
  '--cap-drop=all',
  '--mount=type=tmpfs,dst=/tmp',
  ...(user === undefined ? [] : [`--user=${user}`]),
  ...Object.entries(volumes).map(([inside, outside]) => {
    const [folder, ...mode] = inside.split(':');
    return `--volume=${[outside, folder, ...mode].join(':')}`;
  }),
  ...Object.entries(environment).map(([name, value]) => `--env=${name}=${value}`),
];

/** A container of the image, for programs that run one after another or beside each other. */
export class Container {
  #name;
  #root;

  constructor(image) {
    this.#name = buildah('from', '--pull-never', image);
    this.#root = buildah('mount', this.#name);
  }

  /** What the image says of itself. */
  get config() {
    return JSON.parse(buildah('inspect', this.#name)).Docker.config;
  }

  /** From now on nothing can be written but in volumes and /tmp. Places to mount at have to be there before. */
  makeReadOnly(folders) {
    for (const folder of folders) mkdirSync(join(this.#root, folder), { recursive: true });
    for (const file of ['run/.containerenv', 'etc/hosts', 'etc/resolv.conf'])
      writeFileSync(join(this.#root, file), '', { flag: 'a' });
    execFileSync('mount', ['-o', 'remount,ro', this.#root]);
  }

  /** Runs a command to its end and gives what it printed. */
  call(command, options) {
    return buildah('run', ...flagsOf(options), this.#name, '--', ...command);
  }

  /** Starts a program that goes on; what it says is in `logFile`. */
  start(command, { logFile, ...options }) {
    mkdirSync(dirname(logFile), { recursive: true });
    const log = openSync(logFile, 'a');
    const args = ['run', ...flagsOf(options), this.#name, '--', ...command];
    const child = spawn('buildah', args, { stdio: ['ignore', log, log] });
    closeSync(log);
    const ended = once(child, 'exit');
    return {
      hasEnded: () => child.exitCode !== null || child.signalCode !== null,
      words: () => readFileSync(logFile, 'utf8'),
      /** Of the program itself, which has no children. */
      pid: () => lastOf(child.pid),
      stop: async () => {
        if (child.exitCode === null) process.kill(lastOf(child.pid), 'SIGTERM');
        return await ended;
      },
    };
  }

  remove() {
    execFileSync('mount', ['-o', 'remount,rw', this.#root]);
    buildah('rm', this.#name);
  }
}

/** The youngest of a line of processes of which each started the next. */
function lastOf(pid) {
  const text = execFileSync('ps', ['-e', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const startedBy = new Map(text.split('\n').map((line) => line.trim().split(/ +/).map(Number).toReversed()));
  let last = pid;
  while (startedBy.has(last)) last = startedBy.get(last);
  return last;
}
