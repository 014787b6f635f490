// The gateway's process loads its modules before its configuration is written, and never outlives a start that was killed.
import { type ChildProcess, fork } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openProcessRecord } from '../../state/process-record.ts';
import { statePaths } from '../../state/state-paths.ts';
import { loadGateway } from './gateway-process.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ducat-ahead-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('reads its configuration only once it is asked to begin', { timeout: 60_000 }, async () => {
  const paths = statePaths(folder);
  mkdirSync(paths.logs, { recursive: true });
  const gateway = loadGateway({ paths, record: openProcessRecord(paths.processes) });
  writeFileSync(paths.config, 'written_late = true\n', { mode: 0o600 });
  gateway.begin();
  expect(await gateway.ended).toBe('exit code 1');
  expect(gateway.lastWords()).toContain('written_late');
});

it('ends when the start ends before it', { timeout: 60_000 }, async () => {
  const script = fileURLToPath(import.meta.resolve('ducat/start/gateway/gateway-ahead'));
  const waiting: ChildProcess = fork(script, ['--config', join(folder, 'none.toml')]);
  const ended = new Promise((resolve) => {
    waiting.once('exit', resolve);
  });
  waiting.disconnect();
  expect(await ended).toBe(0);
});

it('is stopped while it waits', { timeout: 60_000 }, async () => {
  const paths = statePaths(folder);
  mkdirSync(paths.logs, { recursive: true });
  const gateway = loadGateway({ paths, record: openProcessRecord(paths.processes) });
  await gateway.stop();
  gateway.begin();
  expect(await gateway.ended).toBe('signal SIGTERM');
});
