// Shows the set-up link of a new gateway in its log, which operators alone read.
import { timeText } from '../../mail/time-text.ts';
import type { Parts } from '../parts.ts';
import { openSetup } from './open-setup.ts';

export async function showSetupLink({ config, database, world, log }: Parts): Promise<void> {
  const { transact } = database;
  const link = await openSetup({ transact, world, url: config.dashboard.url, isDemo: config.demo });
  if (link === null) return;
  const until = timeText(link.untilMs);
  log.warn({ link: link.url, until }, 'no account yet: open this link, which works once');
}
