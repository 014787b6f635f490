// The process behind reaper.ts: remembers which processes live, and ends them when its own parent is gone.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';

const pids = new Set<number>();
const folders: string[] = [];

// Ctrl-C in a terminal must not end this process, which has to clean up.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const [word, about] = [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)];
  if (word === 'born') pids.add(Number(about));
  if (word === 'gone') pids.delete(Number(about));
  if (word === 'folder') folders.push(about);
});
lines.once('close', () => {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // The process ended in between.
    }
  }
  // The children of a killed postmaster end within a moment, and still write files until then.
  setTimeout(
    () => {
      for (const folder of folders.toReversed()) {
        if (process.platform === 'linux') spawnSync('umount', ['-l', folder], { stdio: 'ignore' });
        rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
      }
    },
    pids.size === 0 ? 0 : 1_000,
  );
});
