// The ledger as tests look at it: entries of an app, events of an order, and the proof against the chains.
import { formatAmount } from '@ducat/core/money/decimal';
import { compareChain } from '@ducat/gateway/roles/maintenance/compare-chain';
import { realWorld } from '@ducat/gateway/runtime/world';
import { auditBooks } from '@ducat/gateway/db/reports/audit';
import type { Reader } from '@ducat/gateway/db/postgres/tx';
import type { MinedChain } from './mined-chain.ts';

/** One posting to an account of an app, oldest first. */
export interface AppPosting {
  readonly fact: string;
  readonly kind: string;
  readonly currencyId: number;
  readonly units: string;
}

/** A transfer row of an app. */
export interface TransferRow {
  readonly chain: string;
  readonly txId: string;
  readonly position: string;
  readonly currencyId: number;
  readonly units: string;
  readonly block: number;
  readonly state: string;
  readonly disposition: string | null;
  readonly tradeNo: string | null;
}

export interface Books {
  /** What was booked for an app. */
  postings(appId: string): Promise<readonly AppPosting[]>;
  transfers(appId: string): Promise<readonly TransferRow[]>;
  /**
   * The findings of the books' own audit, and of a comparison with the chains at their final blocks. Empty when all
   * is well.
   */
  troubles(): Promise<readonly string[]>;
}

export function createBooks(reader: Reader, chains: readonly MinedChain[]): Books {
  return {
    postings: (appId) =>
      reader.read<AppPosting>(
        `SELECT fact, kind, p.currency_id AS "currencyId", units
         FROM postings p JOIN entries USING (entry_id) JOIN accounts USING (account_id)
         WHERE owner = $1 ORDER BY entry_id, kind`,
        [appId],
      ),
    transfers: (appId) =>
      reader.read<TransferRow>(
        `SELECT chain, tx_id AS "txId", position, currency_id AS "currencyId", units, block_number AS block, state,
           disposition, trade_no AS "tradeNo"
         FROM transfers WHERE app_id = $1 ORDER BY chain, block_number, ordinal`,
        [appId],
      ),
    troubles: async () => [...(await auditBooks(reader)), ...(await unexplained(reader, chains))],
  };
}

async function unexplained(reader: Reader, chains: readonly MinedChain[]): Promise<readonly string[]> {
  const troubles: string[] = [];
  for (const { name, reader: chain } of chains) {
    const { signal } = new AbortController();
    const { currencies } = await compareChain({ chain, reader, world: realWorld, signal });
    for (const { currency, differences, trouble } of currencies) {
      if (trouble !== null) troubles.push(`${name}: ${currency.symbol} cannot be compared: ${trouble}`);
      for (const { difference } of differences) {
        troubles.push(
          `${name}: an address differs by ${formatAmount(difference, currency)} ${currency.symbol}`,
        );
      }
    }
  }
  return troubles;
}
