// Makes the set-up link of a gateway that is not in use. Each start of its dashboard makes a new one.
import type { Transact } from '../../db/postgres/tx.ts';
import { appendAuditEntry } from '../../db/tables/access/audit-log.ts';
import { openSetupLink } from '../../flows/access/setup/open-setup-link.ts';
import { hashOfToken, newToken } from '../../keys/tokens.ts';
import type { World } from '../../runtime/world.ts';

export interface SetupPlace {
  readonly transact: Transact;
  readonly world: Pick<World, 'nowMs' | 'random'>;
  /** Where people reach the dashboard. */
  readonly url: string;
  readonly isDemo: boolean;
}

/** The link and when it expires; null where the gateway is in use. Older links become invalid. */
export async function openSetup({
  transact,
  world,
  url,
  isDemo,
}: SetupPlace): Promise<{ readonly url: string; readonly untilMs: number } | null> {
  const token = newToken(world);
  const nowMs = world.nowMs();
  const untilMs = await transact(async (tx) => {
    const until = await openSetupLink(tx, { tokenHash: hashOfToken(token), isDemo, nowMs });
    const entry = { atMs: nowMs, personId: null, merchantId: null, subject: '', detail: '', address: '' };
    if (until !== null) await appendAuditEntry(tx, { ...entry, operation: 'setup-link.open' });
    return until;
  });
  // The token is in the fragment, so that no server on the way logs it.
  return untilMs === null ? null : { url: `${url}/set-up#${token}`, untilMs };
}
