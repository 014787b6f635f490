// For operators: transfers out of wallets that the gateway did not make, and the open payouts that each would fit.
import { transferReference } from '@ducat/core/ledger/recipes';
import { listOutflows } from '../../../db/tables/payouts/payout-endings.ts';
import { answer, type Handler } from '../call.ts';
import { readTexts } from '../texts.ts';

const MOST_SHOWN = 100;

export const handleOutflowList: Handler<'outflows.list'> = async ({ deps }) => {
  const outflows = await listOutflows(deps.reader, MOST_SHOWN + 1);
  const texts = await readTexts(deps);
  return answer({
    outflows: outflows.slice(0, MOST_SHOWN).map(({ transfer, fits }) => ({
      transfer: transferReference(transfer),
      tx_id: transfer.txId,
      chain: transfer.chain,
      ...texts.money(transfer.amount),
      to: texts.address(transfer.chain, transfer.to),
      at: transfer.block.time,
      fits: [...fits],
    })),
    is_cut_short: outflows.length > MOST_SHOWN,
  });
};
