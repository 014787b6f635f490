// Every command of the program ducat, by its name.
import type { Command } from 'commander';

/** Each command loads only its own modules, because loading takes most of the time of a short command. */
export const commands: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ['start', async () => (await import('./start.ts')).startCommand()],
  ['demo', async () => (await import('./shop/demo.ts')).demoCommand()],
  ['order', async () => (await import('./shop/order.ts')).orderCommand()],
  ['pay', async () => (await import('./shop/pay.ts')).payCommand()],
  ['listen', async () => (await import('./shop/listen.ts')).listenCommand()],
  ['webhooks', async () => (await import('./shop/webhooks.ts')).webhooksCommand()],
  ['merchant', async () => (await import('./merchant.ts')).merchantCommand()],
  ['people', async () => (await import('./people.ts')).peopleCommand()],
  ['app', async () => (await import('./apps/app.ts')).appCommand()],
  ['addresses', async () => (await import('./addresses.ts')).addressesCommand()],
  ['wallets', async () => (await import('./wallets/wallets.ts')).walletsCommand()],
  ['chain', async () => (await import('./chain.ts')).chainCommand()],
  ['currencies', async () => (await import('./books/currencies.ts')).currenciesCommand()],
  ['deposits', async () => (await import('./books/deposits.ts')).depositsCommand()],
  ['orders', async () => (await import('./books/orders.ts')).ordersCommand()],
  ['payouts', async () => (await import('./payouts/payouts.ts')).payoutsCommand()],
  ['senders', async () => (await import('./senders/senders.ts')).sendersCommand()],
  ['qr', async () => (await import('./books/qr.ts')).qrCommand()],
  ['config', async () => (await import('./config.ts')).configCommand()],
  ['database', async () => (await import('./database/database.ts')).databaseCommand()],
  ['backup', async () => (await import('./database/backup.ts')).backupCommand()],
  ['reconcile', async () => (await import('./books/reconcile/reconcile.ts')).reconcileCommand()],
  ['audit', async () => (await import('./books/audit.ts')).auditCommand()],
]);
