// A request by the SDK. The SDK signs and verifies, so the AppKey stays in the environment of the server.
import type { SampleRequest } from './request.ts';
import { sdkCalls } from './sdk-calls.ts';

export function nodeSample({ name, baseUrl, body, idempotencyKey }: SampleRequest): string {
  const { resource, method, answer, isBare } = sdkCalls[name];
  const options = idempotencyKey === '' ? '' : `, { idempotencyKey: ${literal(idempotencyKey, '')} }`;
  const given = isBare === true ? '' : `${argument(body)}${options}`;
  return `import { Ducat } from '@ducat/sdk';

const ducat = new Ducat({
  baseUrl: ${literal(baseUrl, '')},
  appId: process.env.APP_ID,
  appKey: process.env.APP_KEY,
});

const ${answer} = await ducat.${resource}.${method}(${given});`;
}

function argument(body: string): string {
  try {
    return literal(JSON.parse(body), '');
  } catch {
    return '/* the body is no JSON */';
  }
}

/** A JSON value as JavaScript code in the usual style. */
function literal(value: unknown, indent: string): string {
  const inner = `${indent}  `;
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `[${value.map((item) => literal(item, inner)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const lines = Object.entries(value).map(
    ([name, item]) =>
      `${inner}${/^[a-z_$][\w$]*$/i.test(name) ? name : quoted(name)}: ${literal(item, inner)},\n`,
  );
  return lines.length === 0 ? '{}' : `{\n${lines.join('')}${indent}}`;
}

function quoted(text: string): string {
  const inner = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`);
  return `'${inner}'`;
}
