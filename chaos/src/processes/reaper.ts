// Ends every process that a run leaves behind, however the run ends; a process of its own, because the run may be killed.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Knows everything that has to be gone when the run is. */
export interface Reaper {
  /** A process that was started, and one that is known to have ended. */
  born(pid: number): void;
  gone(pid: number): void;
  /** A folder that is unmounted, if it is a mount, and removed at the end. */
  folder(path: string): void;
  /** Ends everything that is left; resolves when that is done. */
  finish(): Promise<void>;
}

/** Starts the reaper. It waits for the end of its input, which the system closes even after a kill -9 of the run. */
export function startReaper(): Reaper {
  const script = fileURLToPath(new URL('../../dist/processes/reaper-process.js', import.meta.url));
  const child = spawn(process.execPath, [script], { detached: true, stdio: ['pipe', 'ignore', 'inherit'] });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.stdin.on('error', () => undefined);
  const send = (word: string, about: string | number) => child.stdin.write(`${word} ${about}\n`);
  return {
    born: (pid) => void send('born', pid),
    gone: (pid) => void send('gone', pid),
    folder: (path) => void send('folder', path),
    finish: () => {
      child.stdin.end();
      return ended;
    },
  };
}
