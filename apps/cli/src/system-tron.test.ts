// Tron as a newcomer meets it: docs/integrate/tron.md, pasted into a shell beside the running demo.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DemoProcess, ducat, shell, startDemoProcess, workspace } from './testing/demo-process.ts';

const state = mkdtempSync(join(tmpdir(), 'ducat-system-tron-'));
const page = readFileSync(join(workspace, 'docs/integrate/tron.md'), 'utf8');
const blocks = [...page.matchAll(/```bash\n([\s\S]*?)```/g)].map(([, block]) => block ?? '');
/** Three waits of 19 blocks, and a dozen commands, on a busy machine. */
const PAGE_MS = 360_000;
let demo: DemoProcess;

beforeAll(async () => {
  demo = await startDemoProcess(state);
}, 300_000);

afterAll(async () => {
  await demo?.killEverything();
  rmSync(state, { recursive: true, force: true });
}, 60_000);

interface Listed {
  readonly event: { readonly tradeNo: string; readonly status: string; readonly state: string };
}

async function json<T>(...args: readonly string[]): Promise<T> {
  const ran = await ducat(state, ...args, '--json');
  expect(ran, args.join(' ')).toMatchObject({ code: 0 });
  return JSON.parse(ran.stdout) as T;
}

describe('the demo with docs/integrate/tron.md', () => {
  it('has a script of at most ten lines for USDT', () => {
    const [, script = ''] = /<<'END'\n([\s\S]*?)END\n/.exec(page) ?? [];
    expect(script).toContain('.transfer(');
    expect(script.trim().split('\n').length).toBeLessThanOrEqual(10);
  });

  it(
    'is paid block by block: USDT, TRX and contracts with unmodified TronWeb, each PAID and told once',
    async () => {
      const text = `set -euo pipefail\n${blocks.join('\n')}`;
      const ran = await shell(text, { DUCAT_STATE: state }, PAGE_MS);
      expect(ran, `${ran.stdout}\n${ran.stderr}`).toMatchObject({ code: 0 });
      const sent = [...ran.stdout.matchAll(/10 (USDT|TRX) are on their way to (\w+) in ([0-9a-f]{64})/g)];
      expect(sent.map(([, token]) => token)).toEqual(['USDT', 'TRX', 'TRX', 'USDT']);
      expect(ran.stdout.match(/✓ verified webhook PAID/g)).toHaveLength(3);
      expect(ran.stdout).toMatch(/collected +10 USDT\n +confirmations +(19|[2-9]\d) of 19/);

      const events = await json<Listed[]>('webhooks', 'list');
      expect(events.map(({ event }) => event.status)).toEqual(['PAID', 'PAID', 'PAID', 'PAID']);
      const paid = await Promise.all(
        events.map(({ event }) => json<Record<string, string>>('order', 'show', event.tradeNo)),
      );
      expect(paid.map(({ pay_address, token }) => `${token} ${pay_address}`).toSorted()).toEqual(
        sent.map(([, token, address]) => `${token} ${address}`).toSorted(),
      );
      for (const order of paid) expect(order).toMatchObject({ status: 'PAID', amount_collected: '10' });
      expect((await json<{ clean: boolean }>('reconcile')).clean).toBe(true);
    },
    PAGE_MS + 60_000,
  );

  it(
    'pays out what came in, by docs/integrate/payouts.mjs',
    async () => {
      const script = 'node docs/integrate/payouts.mjs USDT@Tron TRX@Tron';
      const ran = await shell(script, { DUCAT_STATE: state }, PAGE_MS);
      expect(ran, `${ran.stdout}\n${ran.stderr}`).toMatchObject({ code: 0 });
      expect(ran.stdout.match(/^(USDT|TRX)@Tron +PAID {2}60 /gm)).toHaveLength(2);
      expect((await json<{ clean: boolean }>('reconcile')).clean).toBe(true);
    },
    PAGE_MS + 60_000,
  );

  it('says of an order with a price in money that its rate is made up', async () => {
    await json('order', 'create', '--currency', 'TRX@Tron', '--fiat', '3', 'USD');
    const { stdout } = await ducat(state, 'order', 'show', 'last');
    expect(stdout).toMatch(/^ {2}on +Tron$/m);
    expect(stdout).toContain('Rate 1 TRX = 0.3 USD\n  Made up for the demo');
  }, 60_000);
});
