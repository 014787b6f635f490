// The options of all commands: one name means one thing, and the lists in help texts are complete.
import { readdirSync } from 'node:fs';
import { localChainPlan } from '@ducat/devnet/local/local-chain-plan';
import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { webhooksCommand } from './shop/webhooks.ts';
import { startCommand } from './start.ts';

/** Every command that a file of this folder exports, and its subcommands. */
async function allCommands(): Promise<readonly Command[]> {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' });
  const built: Command[] = [];
  for (const file of files.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))) {
    const exported: Record<string, unknown> = await import(new URL(file, import.meta.url).href);
    for (const [name, make] of Object.entries(exported)) {
      if (name.endsWith('Command') && typeof make === 'function') built.push(make());
    }
  }
  const withInner = (command: Command): readonly Command[] => [
    command,
    ...command.commands.flatMap((inner) => withInner(inner)),
  ];
  return built.flatMap(withInner);
}

it('--state is the folder of the demo in every command that has it, and --config a file', async () => {
  const options = (await allCommands()).flatMap((command) => command.options);
  const flagsOf = (long: string) =>
    new Set(options.filter((option) => option.long === long).map(({ flags }) => flags));
  expect(flagsOf('--state')).toEqual(new Set(['--state <folder>']));
  expect(flagsOf('--config')).toEqual(new Set(['--config <file>']));
  expect(flagsOf('--folder')).toEqual(new Set());
});

it('webhooks list says which option has the state of an event, where --state is given one', async () => {
  const typed = webhooksCommand().parseAsync(['list', '--state', 'dead'], { from: 'user' });
  await expect(typed).rejects.toThrow('for events of this state: --only dead');
});

it('start --help counts the chains that it starts: the EVM chains of the plan, and Tron', () => {
  const words = ['no', 'one', 'two', 'three', 'four', 'five', 'six'];
  expect(startCommand().description()).toContain(`${words[localChainPlan.length + 1]} chains`);
});
