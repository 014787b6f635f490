// The one way from the raw body of a request to a checked request.
import type { Endpoint } from '../endpoint.ts';
import type { Fitting } from '../fields/schema-for.ts';
import { parseStrictJson } from './strict-json.ts';
import { type Validated, validateRequest } from './validate.ts';

/** Reads and checks the body of a request. An empty body counts as `{}` where the endpoint allows it. */
export function readRequest<E extends Endpoint>(
  endpoint: E,
  legacy: boolean,
  bytes: Uint8Array,
): Validated<Fitting<E['request']>> {
  if (bytes.length === 0 && endpoint.allowsEmptyBody) return validateRequest(endpoint, legacy, {});
  const parsed = parseStrictJson(bytes);
  return parsed.ok ? validateRequest(endpoint, legacy, parsed.value) : parsed;
}
