// Starts the notifier with the guarded HTTP client, the AppKeys and the log.
import { createPoster } from '../roles/notifier/http/post.ts';
import { createResolveHost } from '../roles/notifier/http/resolve-host.ts';
import { parseAllowList } from '../roles/notifier/http/routable-address.ts';
import { runNotifier } from '../roles/notifier/notifier.ts';
import { defaultNotifierLimits } from '../roles/notifier/parts.ts';
import type { Parts } from './parts.ts';

export async function startNotifier(
  { config, database, world, idle, appKeys, log, metrics }: Parts,
  signal: AbortSignal,
): Promise<void> {
  const allowed = parseAllowList(config.webhooks.allowedPrivateRanges);
  const poster = createPoster({ resolve: createResolveHost(world), allowed });
  const limits = {
    ...defaultNotifierLimits,
    maxUnderWay: config.webhooks.concurrency ?? defaultNotifierLimits.maxUnderWay,
    maxPerReceiver: config.webhooks.concurrencyPerReceiver ?? defaultNotifierLimits.maxPerReceiver,
  };
  const observer = {
    onAttempt: (report: { readonly outcome: string; readonly durationMs: number }) => {
      metrics.onWebhook(report);
      log.info({ flow: 'record-delivery', ...report }, 'webhook attempt');
    },
    onDied: (events: number) => log.warn({ events }, 'webhooks died without a recorded last attempt'),
    onBroken: (eventId: string, error: unknown) =>
      log.error(
        { flow: 'quarantine-event', eventId, error },
        'a webhook broke and is left alone for an hour',
      ),
    onTrouble: (where: string, error: unknown) => log.warn({ where, error }, 'the notifier met an outage'),
  };
  try {
    await runNotifier(
      { ...database.queues, world, idle, post: poster.post, keys: appKeys, observer, limits },
      signal,
    );
  } finally {
    poster.close();
  }
}
