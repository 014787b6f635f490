// Runs one program as a child: output straight through, signals passed on, and no shell where possible.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import { root } from './root.mjs';

/**
 * Runs Node on a script of ours or of a package, by default in the root. Returns its exit code.
 * @param {string} script
 * @param {string[]} args
 * @param {string} [cwd]
 */
export function runNode(script, args, cwd = root) {
  return runChild(process.execPath, [script, ...args], false, cwd);
}

/**
 * Runs npm, by its own script with this Node where the script is found: on Windows npm is a batch file, which only a shell
 * can start.
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
    // On Ctrl-C the terminal signals the child itself; a second signal would mean "stop at once".
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

/** The signal that arrived while a child ran, or null. After a signal nothing more should be started. */
export function interruption() {
  return interrupted;
}
