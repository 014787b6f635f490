// The program ducat: its commands, and trouble turned into plain words and an exit code.
import { Command } from 'commander';
import { createRequire } from 'node:module';
import { commands } from './commands/all.ts';
import { explain } from './explain.ts';

// The manifest has a version, because npm demands one.
const { version } = createRequire(import.meta.url)('ducat/package.json') as { readonly version: string };

const program = new Command('ducat')
  .description('Ducat, a self-hosted crypto payment gateway')
  .version(version, '--version', 'the version of Ducat')
  .showHelpAfterError('(ducat --help lists the commands)');

const [, , word = ''] = process.argv;
const asked = commands.get(word);
if (asked !== undefined) program.addCommand(await asked());
else if (word !== '--version') for (const load of commands.values()) program.addCommand(await load());

// The reader of our output may stop reading, as `head` does. That is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

try {
  await program.parseAsync();
} catch (error) {
  const { message, exitCode } = explain(error);
  process.stderr.write(`ducat: ${message}\n`);
  process.exitCode = exitCode;
}
