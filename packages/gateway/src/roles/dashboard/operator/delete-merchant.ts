// merchants.delete: deletes a merchant that signed up and that no operator has admitted.
import { deleteMerchant } from '../../../flows/merchants/delete-merchant.ts';
import { answer, type Handler, refusal, unknown } from '../call.ts';

export const handleMerchantDelete: Handler<'merchants.delete'> = async ({ deps, record }, request) => {
  const { subject_merchant_id: merchantId, reason } = request;
  const { outcome } = await deps.transact(async (tx) => {
    const done = await deleteMerchant(tx, merchantId);
    if (done.outcome === 'deleted')
      await record(tx, { subject: merchantId, merchantId, detail: `${done.name}: ${reason}` });
    return done;
  });
  if (outcome === 'deleted') return answer({});
  return outcome === 'unknown' ? unknown('merchant') : refusal('conflict', WHY_NOT[outcome]);
};

const WHY_NOT = {
  admitted: 'only a merchant that signed up and is suspended can be deleted',
  'has-apps': 'this merchant has an app, and with it addresses and books: it can be suspended, not deleted',
} as const;
