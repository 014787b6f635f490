// The program ducat: its commands, and trouble turned into plain words and an exit code.
import { Command } from 'commander';
import { addressesCommand } from './commands/addresses.ts';
import { appCommand } from './commands/app.ts';
import { auditCommand } from './commands/books/audit.ts';
import { chainCommand } from './commands/chain.ts';
import { currenciesCommand } from './commands/books/currencies.ts';
import { depositsCommand } from './commands/books/deposits.ts';
import { databaseCommand } from './commands/database.ts';
import { demoCommand } from './commands/shop/demo.ts';
import { listenCommand } from './commands/shop/listen.ts';
import { merchantCommand } from './commands/merchant.ts';
import { orderCommand } from './commands/shop/order.ts';
import { payCommand } from './commands/shop/pay.ts';
import { sendersCommand } from './commands/senders.ts';
import { reconcileCommand } from './commands/books/reconcile.ts';
import { startCommand } from './commands/start.ts';
import { webhooksCommand } from './commands/shop/webhooks.ts';
import { explain } from './explain.ts';

const program = new Command('ducat')
  .description('Ducat, a self-hosted crypto payment gateway')
  .showHelpAfterError('(ducat --help lists the commands)');

const commands = [
  startCommand(),
  demoCommand(),
  orderCommand(),
  payCommand(),
  listenCommand(),
  webhooksCommand(),
  merchantCommand(),
  appCommand(),
  addressesCommand(),
  chainCommand(),
  currenciesCommand(),
  depositsCommand(),
  sendersCommand(),
  databaseCommand(),
  reconcileCommand(),
  auditCommand(),
];
for (const command of commands) program.addCommand(command);

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
