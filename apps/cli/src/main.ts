// The program ducat: its commands, and trouble turned into plain words and an exit code.
import { Command } from 'commander';
import { createRequire } from 'node:module';
import { explain } from './explain.ts';

// The manifest lies beside the folder of the program, built or not.
const { version } = createRequire(import.meta.url)('../package.json') as { readonly version: string };

const program = new Command('ducat')
  .description('Ducat, a self-hosted crypto payment gateway')
  .version(version, '--version', 'the version of Ducat')
  .showHelpAfterError('(ducat --help lists the commands)');

/** A command loads what it needs and not what others need: that is most of the time that a short command takes. */
const commands: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ['start', async () => (await import('./commands/start.ts')).startCommand()],
  ['demo', async () => (await import('./commands/shop/demo.ts')).demoCommand()],
  ['order', async () => (await import('./commands/shop/order.ts')).orderCommand()],
  ['pay', async () => (await import('./commands/shop/pay.ts')).payCommand()],
  ['listen', async () => (await import('./commands/shop/listen.ts')).listenCommand()],
  ['webhooks', async () => (await import('./commands/shop/webhooks.ts')).webhooksCommand()],
  ['merchant', async () => (await import('./commands/merchant.ts')).merchantCommand()],
  ['people', async () => (await import('./commands/people.ts')).peopleCommand()],
  ['app', async () => (await import('./commands/apps/app.ts')).appCommand()],
  ['addresses', async () => (await import('./commands/addresses.ts')).addressesCommand()],
  ['wallets', async () => (await import('./commands/wallets/wallets.ts')).walletsCommand()],
  ['chain', async () => (await import('./commands/chain.ts')).chainCommand()],
  ['currencies', async () => (await import('./commands/books/currencies.ts')).currenciesCommand()],
  ['deposits', async () => (await import('./commands/books/deposits.ts')).depositsCommand()],
  ['orders', async () => (await import('./commands/books/orders.ts')).ordersCommand()],
  ['payouts', async () => (await import('./commands/payouts/payouts.ts')).payoutsCommand()],
  ['senders', async () => (await import('./commands/senders/senders.ts')).sendersCommand()],
  ['qr', async () => (await import('./commands/books/qr.ts')).qrCommand()],
  ['config', async () => (await import('./commands/config.ts')).configCommand()],
  ['database', async () => (await import('./commands/database/database.ts')).databaseCommand()],
  ['backup', async () => (await import('./commands/database/backup.ts')).backupCommand()],
  ['reconcile', async () => (await import('./commands/books/reconcile.ts')).reconcileCommand()],
  ['audit', async () => (await import('./commands/books/audit.ts')).auditCommand()],
]);
const [, , word = ''] = process.argv;
const asked = commands.get(word);
if (asked !== undefined) program.addCommand(await asked());
else if (word !== '--version') for (const load of commands.values()) program.addCommand(await load());

// Who reads our output may stop reading, as `head` does; that is no trouble of ours.
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
