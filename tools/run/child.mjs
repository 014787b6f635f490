// Runs one program as a child: output straight through, signals passed on, and no shell where it can be helped.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import { root } from './root.mjs';

/**
 * Runs Node on a script of ours or of a package, in the root unless another folder is named, and gives its exit code.
 * @param {string} script
 * @param {string[]} args
 * @param {string} [cwd]
 */
export function runNode(script, args, cwd = root) {
  return runChild(process.execPath, [script, ...args], false, cwd);
}

/**
 * Runs npm. Its own script is started with this Node where it is found, because npm is a batch file on Windows,
 * which only a shell can start.
 * @param {string[]} args
 */
export function runNpm(args) {
  const script = npmScript();
  if (script !== null) return runNode(script, args);
  const isWindows = process.platform === 'win32';
  return runChild(isWindows ? 'npm.cmd' : 'npm', args, isWindows, root);
}

/** @returns {string | null} */
function npmScript() {
  const nodeFolder = dirname(process.execPath);
  const places = [
    process.env['npm_execpath'] ?? '',
    join(nodeFolder, 'node_modules/npm/bin/npm-cli.js'),
    join(nodeFolder, '../lib/node_modules/npm/bin/npm-cli.js'),
  ];
  return places.find((place) => basename(place) === 'npm-cli.js' && existsSync(place)) ?? null;
}

/**
 * @param {string} program
 * @param {string[]} args
 * @param {boolean} shell
 * @param {string} cwd
 * @returns {Promise<number>}
 */
function runChild(program, args, shell, cwd) {
  const child = spawn(program, args, { cwd, stdio: 'inherit', shell });
  /** @param {NodeJS.Signals} signal */
  const passOn = (signal) => {
    // A terminal has already given its Ctrl-C to the child; a second one would mean "at once".
    if (signal === 'SIGTERM' || !process.stdin.isTTY) child.kill(signal);
    interrupted = signal;
  };
  process.on('SIGINT', passOn);
  process.on('SIGTERM', passOn);
  return new Promise((resolve) => {
    const finish = (/** @type {number} */ code) => {
      process.off('SIGINT', passOn);
      process.off('SIGTERM', passOn);
      resolve(code);
    };
    child.once('error', (error) => {
      console.error(`${program} could not be started: ${error.message}`);
      finish(1);
    });
    child.once('exit', (code, signal) => finish(code ?? (signal === 'SIGINT' ? 130 : 1)));
  });
}

/** @type {NodeJS.Signals | null} */
let interrupted = null;

/** The signal that reached us while a child ran: nothing more should be started then. */
export function interruption() {
  return interrupted;
}
