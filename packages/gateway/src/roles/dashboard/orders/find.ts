// search.find: what a person typed, looked up everywhere in the merchant by indexes.
import { findInMerchant } from '../../../db/reports/dashboard/search.ts';
import { answer, type Handler } from '../call.ts';
import type { DataDeps } from '../data-port.ts';
import { appsOf } from '../merchant-scope.ts';

const TX_ID = /^(?:0x)?[0-9a-f]{64}$/;

export const handleFind: Handler<'search.find'> = async (call, { text: typed }) => {
  const text = typed.trim();
  if (text === '') return answer({ found: [] });
  const apps = (await appsOf(call)) ?? [];
  const found = await findInMerchant(call.reader, {
    appIds: apps.map(({ appId }) => appId),
    text,
    txIds: txIdsOf(text),
    addresses: addressesOf(call.deps, text),
  });
  return answer({ found: [...found] });
};

/** EVM transactions are written with 0x, those of Tron without; people copy both either way. */
function txIdsOf(text: string): readonly string[] {
  const lower = text.toLowerCase();
  if (!TX_ID.test(lower)) return [];
  const bare = lower.replace(/^0x/, '');
  return [bare, `0x${bare}`];
}

function addressesOf({ addressSchemes }: Pick<DataDeps, 'addressSchemes'>, text: string): readonly string[] {
  return [...new Set(Object.values(addressSchemes).flatMap((scheme) => scheme.canonical(text) ?? []))];
}
