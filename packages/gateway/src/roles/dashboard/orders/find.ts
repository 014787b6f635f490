// search.find: what a person typed, looked up everywhere in the merchant by indexes.
import { findInMerchant, txIdsOf } from '../../../db/reports/dashboard/search.ts';
import { answer, type Handler } from '../call.ts';
import type { DataDeps } from '../data-port.ts';
import { appsOf } from '../merchant-scope.ts';

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

function addressesOf({ addressSchemes }: Pick<DataDeps, 'addressSchemes'>, text: string): readonly string[] {
  return [...new Set(Object.values(addressSchemes).flatMap((scheme) => scheme.canonical(text) ?? []))];
}
