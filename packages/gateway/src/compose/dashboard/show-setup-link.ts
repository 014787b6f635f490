// Shows the set-up link of a new gateway in its log, which only operators read.
import type { Config } from '../../config/load-config.ts';
import { timeText } from '../../mail/time-text.ts';
import type { Log } from '../../runtime/log.ts';
import { openSetup, type SetupPlace } from './open-setup.ts';

/** Logs the link as a warning. Where the log level hides warnings it is logged as an error, because the link is needed. */
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
