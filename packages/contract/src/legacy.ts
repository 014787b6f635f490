// The difference between the old /v1 paths and the current ones, with conversions in both directions.
import type { Endpoint } from './endpoint.ts';

/** Brings a checked old request into the current shape: currency IDs become numbers, referer is dropped. */
export function fromLegacyRequest(request: Record<string, unknown>): Record<string, unknown> {
  const { referer: _ignored, ...current } = request;
  if (typeof current['currency_id'] === 'string') current['currency_id'] = Number(current['currency_id']);
  const { currency_ids: ids } = current;
  if (Array.isArray(ids)) current['currency_ids'] = ids.map(Number);
  return current;
}

/** Brings a current request into the old shape, for examples: currency IDs as text, no redirect_url. */
export function toLegacyRequest(request: Endpoint['exampleRequest']): unknown {
  return toLegacyData(request);
}

/** Brings answer data into the old shape: currency IDs become strings of digits, redirect_url is left out. */
export function toLegacyData(data: Endpoint['exampleData']): unknown {
  if (Array.isArray(data)) return data.map((element: unknown) => toLegacyData(element));
  if (typeof data !== 'object' || data === null) return data;
  const { redirect_url: _unknownThere, ...legacy }: Record<string, unknown> = { ...data };
  if (typeof legacy['currency_id'] === 'number') legacy['currency_id'] = String(legacy['currency_id']);
  if (Array.isArray(legacy['currency_ids'])) legacy['currency_ids'] = legacy['currency_ids'].map(String);
  return legacy;
}
