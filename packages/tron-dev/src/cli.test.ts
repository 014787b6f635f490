// The command line, apart from the chain that it leaves running.
import { describe, expect, it } from 'vitest';
import { runCli } from './cli.ts';
import { startTronDev } from './start-tron-dev.ts';

async function run(...args: string[]) {
  let text = '';
  const code = await runCli(args, (more) => {
    text += more;
  });
  return { code, text };
}

describe('tron-dev', () => {
  it('explains itself', async () => {
    const { code, text } = await run('--help');
    expect(code).toBe(0);
    expect(text).toContain('--genesis-timestamp');
  });

  it('refuses options it does not know', async () => {
    await expect(run('--nonsense')).rejects.toThrow(/nonsense/);
  });

  it('conformance needs the address of the node, and reports check by check', async () => {
    expect((await run('conformance')).code).toBe(2);
    const dev = await startTronDev({ mining: { blockTimeMs: 30 }, solidLag: 2 });
    const { code, text } = await run(
      'conformance',
      '--full',
      dev.fullUrl,
      '--solidity',
      `${dev.solidityUrl}/`,
      '--key',
      dev.accounts[0]!.privateKey,
      '--only',
      'above the head',
    );
    expect(text).toMatch(/^ok {4}a height above the head is \{\}\n1 of 1 checks hold\n$/);
    expect(code).toBe(0);
    await dev.stop();
  });
});
