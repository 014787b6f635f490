// Makes the set-up link of a gateway that is not in use, and replaces the link before.
import { maySetUp, SETUP_LINK_HOLDS_MS } from '@ducat/core/access/setup-link';
import type { Tx } from '../../../db/postgres/tx.ts';
import { deleteSetupLink, putSetupLink, readGatewayUse } from '../../../db/tables/access/setup-link.ts';

export interface OpenSetupLink {
  readonly tokenHash: Buffer;
  readonly isDemo: boolean;
  readonly nowMs: number;
}

/** Returns when the link expires, in Unix milliseconds; null where the gateway is in use, so that there is no link. */
export async function openSetupLink(
  tx: Tx,
  { tokenHash, isDemo, nowMs }: OpenSetupLink,
): Promise<number | null> {
  if (!maySetUp(await readGatewayUse(tx), isDemo)) {
    await deleteSetupLink(tx);
    return null;
  }
  const expiresAtMs = nowMs + SETUP_LINK_HOLDS_MS;
  await putSetupLink(tx, tokenHash, expiresAtMs);
  return expiresAtMs;
}
