// payout/detail: one payout of the calling app, in full.
import { accept, refuse } from '@ducat/core/result';
import { findPayout } from '../../../db/tables/payouts/payouts.ts';
import type { Handler } from '../handler.ts';
import { presentPayout } from '../payouts/present-payout.ts';

export const handlePayoutDetail: Handler<'payout-detail'> = async ({ app, deps }, request) => {
  const payout = await findPayout(deps.reader, app.appId, request.trade_no);
  // The same query finds neither another app's payout nor an unknown one, so the two answers cannot differ.
  if (payout === null)
    return refuse({ code: 'payout-unknown', field: 'trade_no', message: 'trade_no is not known' });
  return accept(presentPayout(payout, deps.catalogue.ofTrade(payout), deps));
};
