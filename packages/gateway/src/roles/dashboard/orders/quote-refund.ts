// receipts.quote-refund: what sending a receipt back would cost now, and what would refuse it. Nothing is bound.
import { compare } from '@ducat/core/money/amount';
import { checkRefundBounds } from '@ducat/core/payout/open-refund';
import { readDayValues } from '../../../db/tables/payouts/day-values.ts';
import { readListedAt } from '../../../db/tables/payouts/payout-addresses.ts';
import { readSettings } from '../../../db/tables/payouts/payout-settings.ts';
import { answer, type Handler, refused, unknown } from '../call.ts';
import { readTexts, seconds, usdText } from '../texts.ts';
import { findOwnReceipt } from './own-receipt.ts';

const DAY_S = 86_400;

export const handleRefundQuote: Handler<'receipts.quote-refund'> = async (call, request) => {
  const { deps, reader, nowMs } = call;
  const found = await findOwnReceipt(call, request);
  const rules = found === null ? null : await readSettings(reader, found.app.appId);
  if (found === null || rules === null) return unknown('receipt');
  const { app, amount } = found;
  const priced = await deps.merchantApi.priceRefund(app, { amount, to: request.to_address });
  if (!priced.ok) return refused(priced.refusal);
  const { chain, toAddress: address, leastGas, value } = priced.value;
  const now = seconds(nowMs);
  const ledger = {
    ...(await readDayValues(reader, app.appId, rules, now - DAY_S)),
    listedAt: await readListedAt(reader, app.appId, { family: chain.family, address }),
  };
  const allowed = checkRefundBounds({ rules, ledger, leastGas, now }, value);
  const texts = await readTexts({ ...deps, reader });
  const { approvalAbove } = rules;
  return answer({
    app_id: app.appId,
    app_name: app.name,
    ...texts.money(amount),
    least_keep: texts.amount(leastGas),
    value_usd: usdText(value),
    needs_approval: approvalAbove !== null && (value === null || value > approvalAbove),
    one_time_codes: rules.isCodeOn,
    refusal: !allowed.ok
      ? allowed.refusal.message
      : compare(amount, leastGas) <= 0
        ? 'the network fee is more than the receipt'
        : null,
  });
};
