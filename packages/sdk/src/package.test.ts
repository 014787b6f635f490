// Tests of the package as merchants install it: no dependency, nothing of the workspace in it, types that stand alone.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const built = readdirSync(path.join(root, 'dist'), { recursive: true, encoding: 'utf8' }).filter(
  (name) => /\.(js|d\.ts)$/.test(name) && !name.includes('.test.'),
);

describe('the package', () => {
  it('has no dependencies', () => {
    expect(
      Object.keys({
        ...manifest.dependencies,
        ...manifest.peerDependencies,
        ...manifest.optionalDependencies,
      }),
    ).toEqual([]);
  });

  it('is built, and imports only its own files and node', () => {
    expect(built).toContain('client.js');
    expect(built).toContain('webhooks.d.ts');
    for (const name of built) {
      const text = readFileSync(path.join(root, 'dist', name), 'utf8');
      const imports = [...text.matchAll(/(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)].map(
        (match) => match[1] ?? '',
      );
      expect(
        imports.filter((target) => !/^(\.{1,2}\/|node:)/.test(target)),
        name,
      ).toEqual([]);
      expect(text.includes('@ducat/'), name).toBe(false);
    }
  });

  it('runs and type-checks in a project that has nothing else', { timeout: 60_000 }, () => {
    const project = mkdtempSync(path.join(tmpdir(), 'ducat-sdk-'));
    try {
      const installed = path.join(project, 'node_modules/@ducat/sdk');
      cpSync(path.join(root, 'dist'), path.join(installed, 'dist'), { recursive: true });
      cpSync(path.join(root, 'package.json'), path.join(installed, 'package.json'));
      const nodeTypes = path.dirname(createRequire(import.meta.url).resolve('@types/node/package.json'));
      mkdirSync(path.join(project, 'node_modules/@types'));
      symlinkSync(nodeTypes, path.join(project, 'node_modules/@types/node'), 'junction');
      writeFileSync(path.join(project, 'package.json'), '{"type":"module"}');
      writeFileSync(path.join(project, 'use.ts'), usage);
      writeFileSync(
        path.join(project, 'tsconfig.json'),
        JSON.stringify({ compilerOptions, files: ['use.ts'] }),
      );
      const compiler = createRequire(import.meta.url).resolve('typescript/package.json');
      const tsc = path.join(path.dirname(compiler), 'bin/tsc');
      expect(execFileSync(process.execPath, [tsc, '-p', project], { encoding: 'utf8' })).toBe('');
      expect(execFileSync(process.execPath, [path.join(project, 'use.js')], { encoding: 'utf8' })).toBe(
        'ready\n',
      );
    } finally {
      rmSync(project, { recursive: true, force: true });
    }
  });
});

const compilerOptions = {
  strict: true,
  module: 'nodenext',
  target: 'es2022',
  lib: ['es2023'],
  types: ['node'],
  rootDir: '.',
};

const usage = `
import { Ducat, NotFoundError, type CreateOrderRequest } from '@ducat/sdk';
import { verifyWebhook, nodeWebhook } from '@ducat/sdk/webhooks';

const ducat = new Ducat({ baseUrl: 'http://127.0.0.1:1', appId: 'a', appKey: 'k' });
export const request: CreateOrderRequest = { out_trade_no: '1', currency_id: 1001, fiat_name: 'USD', fiat_amount: '1' };
export const status = async (): Promise<'TO-BE-PAID' | 'PAID' | 'TIME-OUT'> => (await ducat.orders.detail('x')).status;
export const handler = nodeWebhook({ appKey: 'k', onEvent: (event) => { const paid: string = event.type === 'PAYMENT' ? event.body.amount_collected : event.body.token_amount; void paid; } });
// @ts-expect-error currency_id is an integer
export const wrong: CreateOrderRequest = { out_trade_no: '1', currency_id: '1001' };
console.log(typeof verifyWebhook === 'function' && NotFoundError.name ? 'ready' : 'broken');
`;
