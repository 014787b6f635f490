// payment-qr-code/create: one code per call, however often and in parallel the call is sent.
import type { DataOf, RequestOf } from '@ducat/contract/endpoints/registry';
import { assert } from '@ducat/core/assert';
import { defaultAmount } from '@ducat/core/qr/qr-code';
import { accept, type Result, refuse } from '@ducat/core/result';
import { findQrCodeByKey, type NewQrCode, type QrCodeDetail } from '../../../db/tables/qr/qr-codes.ts';
import { createQrCode } from '../../../flows/qr/create-qr-code.ts';
import { unixTime } from '../../../runtime/world.ts';
import type { Listing } from '../catalogue.ts';
import { contentHash } from '../content-hash.ts';
import type { Call, Handler } from '../handler.ts';
import { knownCurrency, usableCurrency } from '../usable-currency.ts';

type Request = RequestOf<'create-qr-code'>;
type Data = DataOf<'create-qr-code'>;

/** The signature does not cover the key: an interceptor must not make a second code by sending a call under another key. */
const replayed = {
  code: 'qr-code-conflict',
  message: 'this very request made a QR code before, under another name: sign it anew',
} as const;

/** As for an order: parallel requests may empty a pool again as soon as it was filled. */
const MAX_POOL_ROUNDS = 20;

export const handleCreateQrCode: Handler<'create-qr-code'> = async (call, request) => {
  const inputHash = contentHash(request);
  // This comes before any refusal: a repetition is answered even if the currency has gone off by now.
  const standing = await findQrCodeByKey(call.deps.reader, call.app.appId, call.name.key);
  if (standing !== null) return answer(call, standing, inputHash);
  const listing = await usableCurrency(call, request.currency_id);
  if (!listing.ok) return listing;
  const amount = defaultAmount(request.amount, listing.value.currency);
  if (!amount.ok) return amount;
  const code = { ...codeFields(call, request, listing.value), inputHash, defaultAmount: amount.value };
  const created = await write(call, code, listing.value);
  return created === null ? refuse(replayed) : answer(call, created, inputHash);
};

/** Answers with the existing code if its content is the same. Its address is derived again first. */
function answer(call: Call, code: QrCodeDetail, inputHash: string): Result<Data> {
  if (code.inputHash !== inputHash) {
    const message = 'this call was made before with other content: give it another Idempotency-Key';
    return refuse({ code: 'qr-code-conflict', message });
  }
  const listing = knownCurrency(call, code.currencyId);
  if (!listing.ok) return listing;
  const scheme = call.deps.addressSchemes[listing.value.chain.family];
  const derived = scheme.derive(code.accountPublicKey, code.addressIndex);
  // mark: static-address-comes-from-the-app-key
  assert(
    derived === code.address,
    `the address of QR code ${code.qrCodeId} does not come from its app's key`,
  );
  return accept({ id: code.qrCodeId, address: scheme.display(code.address) });
}

function codeFields({ app, deps, name }: Call, request: Request, { chain, currency }: Listing) {
  return {
    appId: app.appId,
    idempotencyKey: name.key,
    signature: name.signature,
    name: request.name,
    chain: chain.name,
    family: chain.family,
    currencyId: currency.currencyId,
    createTime: unixTime(deps.world),
  };
}

/** The stored code: this one, or the one that a parallel request wrote first. Null for a replayed request. */
async function write(call: Call, code: NewQrCode, { chain }: Listing): Promise<QrCodeDetail | null> {
  for (let round = 1; round <= MAX_POOL_ROUNDS; round++) {
    const created = await createQrCode(call.deps.transact, call.deps.reader, code);
    if (created.outcome === 'replayed') return null;
    if (created.outcome !== 'pool-empty') return created.qrCode;
    await call.fillPool(code.appId, chain.family);
  }
  throw new Error(`the address pool of ${code.appId} stayed empty through ${MAX_POOL_ROUNDS} fillings`);
}
