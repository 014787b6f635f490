// Addresses of ours that have energy of a stake without a collection that accounts for it.
import type { ChainFamily } from '@ducat/core/chain/chain';
import { GATEWAY_ACCOUNT, type KeyPath } from '@ducat/core/signing/key-path';
import type { Reader } from '../../postgres/tx.ts';

export interface OwnReceiver {
  readonly address: string;
  readonly path: KeyPath;
}

export interface ReceiverQuery {
  readonly chain: string;
  readonly family: ChainFamily;
  /** Canonical addresses. */
  readonly receivers: readonly string[];
  readonly limit: number;
}

/** SQL: whether energy at an address is being undelegated. A collection that began now would lose it during its transfer. */
export function isReturning(chain: string, address: string): string {
  return `EXISTS (SELECT FROM outgoing_transactions o WHERE o.chain = ${chain} AND o.to_address = ${address}
    AND o.action = 'undelegate' AND o.next_at_ms IS NOT NULL)`;
}

/**
 * Wallets, and deposit addresses without a collection that has energy there and without a return on its way. Deposit
 * addresses come first, so that the limit cuts off wallets.
 */
export async function readOwnReceivers(
  reader: Reader,
  { chain, family, receivers, limit }: ReceiverQuery,
): Promise<readonly OwnReceiver[]> {
  const rows = await reader.read<{
    address: string;
    account: number | null;
    is_wallet: boolean;
    index: number;
  }>(
    `SELECT d.address, a.account, d.purpose = 'wallet' AS is_wallet, d.derivation_index AS index
     FROM addresses d LEFT JOIN apps a ON a.app_id = d.app_id
     WHERE d.family = $2 AND d.address = ANY($3::text[]) AND (d.purpose = 'wallet'
       OR NOT EXISTS (SELECT FROM collections c
           WHERE c.chain = $1 AND c.address_id = d.address_id AND (c.ended_at_ms IS NULL OR c.return_at_ms IS NOT NULL))
         AND NOT ${isReturning('$1', 'd.address')})
     ORDER BY d.purpose = 'wallet', d.address_id LIMIT $4`,
    [chain, family, receivers, limit],
  );
  return rows.map(({ address, account, is_wallet: isWallet, index }) => ({
    address,
    path: { account: account ?? GATEWAY_ACCOUNT, branch: isWallet ? 'wallet' : 'deposit', index },
  }));
}

/** Subject ids of returns that no collection asked for, and that have waited in trouble since before this time. */
export async function readStuckStrays(
  reader: Reader,
  chain: string,
  troubledBeforeMs: number,
): Promise<readonly string[]> {
  const rows = await reader.read<{ subject_id: string }>(
    `SELECT subject_id FROM outgoing_transactions
     WHERE chain = $1 AND next_at_ms IS NOT NULL AND action = 'undelegate' AND state = 'waiting'
       AND trouble_since_ms <= $2 AND starts_with(subject_id, 'str_')
     ORDER BY subject_id`,
    [chain, troubledBeforeMs],
  );
  return rows.map(({ subject_id: id }) => id);
}
