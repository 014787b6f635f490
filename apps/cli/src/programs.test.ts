// What the programs say to who only asks what they are: no configuration, no stack trace, and the right exit code.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ducat, shell, workspace } from './testing/demo-process.ts';

const gateway = (options: string) => shell(`node packages/gateway/dist/main.js ${options}`);

it('ducat --version prints the version of its manifest alone', async () => {
  const manifest = readFileSync(join(workspace, 'apps/cli/package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { readonly version: string };
  expect(await ducat('', '--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
});

it.each([
  ['--help', 0, 'stdout', /^Usage: main\.js \[--config ducat\.toml\]\n/],
  ['--hlep', 1, 'stderr', /^ducat gateway: Unknown option '--hlep'/],
  ['--config /nowhere/ducat.toml', 1, 'stderr', /^ducat gateway: .*\/nowhere\/ducat\.toml/],
] as const)('main.js %s ends with %i and plain words', async (options, code, stream, words) => {
  const ran = await gateway(options);
  expect(ran.code).toBe(code);
  expect(ran[stream]).toMatch(words);
  expect(ran.stdout + ran.stderr).not.toMatch(/^ +at /m);
});
