// Shows the set-up link of a new gateway in its log, which operators alone read.
import { timeText } from '../../mail/time-text.ts';
import type { Log } from '../../runtime/log.ts';
import { openSetup, type SetupPlace } from './open-setup.ts';

export async function showSetupLink(place: SetupPlace, log: Pick<Log, 'warn'>): Promise<void> {
  const link = await openSetup(place);
  if (link === null) return;
  const until = timeText(link.untilMs);
  log.warn({ link: link.url, until }, 'no account yet: open this link, which works once');
}
