// Shows the set-up link of a new gateway in its log, which operators alone read.
import type { Config } from '../../config/load-config.ts';
import { timeText } from '../../mail/time-text.ts';
import type { Log } from '../../runtime/log.ts';
import { openSetup, type SetupPlace } from './open-setup.ts';

/** The line is a warning. Where the log leaves warnings out it is an error: without the link nobody gets in. */
export async function showSetupLink(
  place: SetupPlace,
  log: Pick<Log, 'warn' | 'error'>,
  logLevel: Config['logLevel'],
): Promise<void> {
  const link = await openSetup(place);
  if (link === null) return;
  const until = timeText(link.untilMs);
  const as = logLevel === 'error' ? 'error' : 'warn';
  log[as]({ link: link.url, until }, 'no account yet: open this link, which works once');
}
