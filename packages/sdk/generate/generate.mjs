// Writes src/generated from the contract: types, paths, and copies of the dependency-free wire files.
//
// The SDK has no runtime dependency, so what it needs of the contract is copied in as source, and `tsc` alone
// builds it on every platform. A test compares the files with what this script would write now.
// Run it after `tsc -b packages/contract`: node packages/sdk/generate/generate.mjs
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { endpoints } from '@ducat/contract/endpoints/registry';
import { events } from '@ducat/contract/events/registry';
import { compile } from 'json-schema-to-typescript';

const target = new URL('../src/generated/', import.meta.url);
const contract = new URL('../../contract/src/', import.meta.url);
const note = 'Generated from the contract by generate/generate.mjs; do not edit.';
const copied = ['codes.ts', 'idempotency-key.ts', 'signature.ts', 'webhook-delivery.ts'];

/** The generated files: name to text. */
export async function generatedFiles() {
  const files = { 'types.ts': await typesFile(), 'endpoints.ts': endpointsFile() };
  for (const name of copied) {
    // A checkout on Windows may hold CRLF; the generated files are compared with LF.
    const text = readFileSync(new URL(name, contract), 'utf8').replaceAll('\r\n', '\n');
    const [header, ...rest] = text.split('\n');
    files[name] = [header, `// ${note}`, ...rest].join('\n');
  }
  return files;
}

async function typesFile() {
  const parts = [`// The types of requests, answers and webhook bodies.\n// ${note}`];
  const add = async (schema, name) => {
    const text = await compile(forTypes(schema), name, {
      bannerComment: '',
      format: true,
      style: { singleQuote: true, printWidth: 110 },
    });
    // One-line comments keep the file short.
    parts.push(text.trim().replace(/\/\*\*\n\s*\* (.*)\n\s*\*\//g, '/** $1 */'));
  };
  for (const endpoint of Object.values(endpoints)) {
    const name = pascal(endpoint.name);
    if (Object.keys(endpoint.request.properties).length > 0) {
      await add({ ...endpoint.request, description: `Request of ${endpoint.path}.` }, `${name}Request`);
    }
    const isList = endpoint.data.type === 'array';
    const data = isList ? endpoint.data.items : endpoint.data;
    const what = isList
      ? `One element of the answer of ${endpoint.path}.`
      : `Answer data of ${endpoint.path}.`;
    await add({ ...data, description: what }, isList ? `${name}Element` : `${name}Data`);
  }
  for (const event of Object.values(events)) {
    await add(
      { ...event.body, description: `Webhook body of type ${event.type}.` },
      `${pascal(event.type.toLowerCase().replaceAll('_', '-'))}Body`,
    );
  }
  return `${parts.join('\n\n')}\n`;
}

function endpointsFile() {
  const all = Object.values(endpoints);
  const isList = (endpoint) => endpoint.data.type === 'array';
  const requestOf = (endpoint) =>
    Object.keys(endpoint.request.properties).length > 0
      ? `${pascal(endpoint.name)}Request`
      : 'Record<string, never>';
  const dataOf = (endpoint) =>
    isList(endpoint) ? `readonly ${pascal(endpoint.name)}Element[]` : `${pascal(endpoint.name)}Data`;
  const imports = all
    .flatMap((endpoint) => [requestOf(endpoint), dataOf(endpoint)])
    .map((name) => name.replace(/^readonly |\[\]$/g, ''))
    .filter((name) => !name.startsWith('Record'))
    .toSorted(byText);
  const bodies = Object.values(events).map(
    (event) => `${pascal(event.type.toLowerCase().replaceAll('_', '-'))}Body`,
  );
  return `// The paths of the endpoints and the types that belong to their names.
// ${note}
import type {
${[...new Set([...imports, ...bodies])]
  .toSorted(byText)
  .map((name) => `  ${name},`)
  .join('\n')}
} from './types.ts';

/** The path of each endpoint. */
export const endpointPaths = {
${all.map((endpoint) => `  '${endpoint.name}': '${endpoint.path}',`).join('\n')}
} as const;

/** Request and answer data of each endpoint. */
export interface EndpointTypes {
${all.map((endpoint) => `  '${endpoint.name}': { request: ${requestOf(endpoint)}; data: ${dataOf(endpoint)} };`).join('\n')}
}

/** The body of each kind of webhook. */
export interface WebhookBodies {
${Object.values(events)
  .map((event, index) => `  ${event.type}: ${bodies[index]};`)
  .join('\n')}
}

/** The kinds of webhook this version knows. */
export const webhookTypes = [${Object.keys(events)
    .map((type) => `'${type}'`)
    .join(', ')}] as const;
`;
}

/** A plain copy of a schema without what types cannot say. */
function forTypes(schema) {
  const drop = new Set(
    'pattern minLength maxLength minItems maxItems minimum maximum anyOf dependentRequired x-expects'.split(
      ' ',
    ),
  );
  return JSON.parse(JSON.stringify(schema), function (key, value) {
    return drop.has(key) && typeof this.type === 'string' ? undefined : value;
  });
}

/** Order by code unit, the same on every machine. */
function byText(left, right) {
  return left < right ? -1 : Number(left > right);
}

function pascal(name) {
  return name
    .split('-')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const [name, text] of Object.entries(await generatedFiles())) {
    writeFileSync(fileURLToPath(new URL(name, target)), text);
  }
}
