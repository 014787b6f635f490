// The words and constructs that rooms must not contain, each with the reason that is shown.
import { child, identifierName, type PlacedNode, type Source, type SyntaxNode } from './source.ts';

/**
 * The bans. `uses` lists what a ban forbids:
 * - a global, such as "fetch", or a member of a global, such as "Date.now";
 * - a module of Node, such as "node:timers", or one export of it, such as "node:crypto#randomBytes";
 * - an export of ours, by the end of its file's path, such as "postgres/tx.ts#openDatabase";
 * - a construct: "async", "SQL", "Date()".
 */
export const bans = {
  clock: {
    why: 'time comes from World, or as an argument',
    // Date() without an argument reads the clock; with an argument it only converts.
    uses: ['Date()', 'Date.now', 'performance.now', 'process.hrtime', 'process.uptime', 'node:perf_hooks'],
  },
  'any-date': {
    why: 'core counts Unix seconds and knows no calendar',
    uses: ['Date', 'Intl', 'Temporal'],
  },
  chance: {
    why: 'randomness comes from World, or as an argument',
    uses: [
      'Math.random',
      'crypto.getRandomValues',
      'crypto.randomUUID',
      'node:crypto#randomBytes',
      'node:crypto#randomUUID',
      'node:crypto#randomInt',
      'node:crypto#randomFill',
      'node:crypto#randomFillSync',
      'node:crypto#webcrypto',
    ],
  },
  timers: {
    why: 'waiting is World.sleep, so that the simulator can hold the clock',
    uses: [
      'setTimeout',
      'setInterval',
      'setImmediate',
      'AbortSignal.timeout',
      'node:timers',
      'node:timers/promises',
    ],
  },
  environment: {
    why: 'the environment is read once, by config.ts or main.ts',
    uses: ['process.env', 'process.argv'],
  },
  process: {
    why: 'the process belongs to main.ts',
    uses: ['process', 'node:process', 'node:child_process', 'node:worker_threads', 'node:cluster'],
  },
  network: {
    why: 'the network is reached through a port',
    uses: ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'],
  },
  http: {
    why: 'the signer speaks its own protocol, on sockets that it listens at, and no other',
    uses: ['http', 'https', 'http2', 'dgram', 'dns', 'dns/promises'].map((name) => `node:${name}`),
  },
  async: {
    why: 'a decision of core is never interrupted half way',
    uses: ['async', 'Promise', 'queueMicrotask'],
  },
  pool: { why: 'only compose opens the database', uses: ['postgres/tx.ts#openDatabase'] },
  sql: { why: 'SQL stands in db', uses: ['SQL'] },
} satisfies Readonly<Record<string, { readonly why: string; readonly uses: readonly string[] }>>;

export type BanName = keyof typeof bans;

interface Use {
  readonly name: string;
  readonly line: number;
}

/** The given bans that `source` breaks, with each line once for a ban. */
export function brokenBans(
  source: Source,
  names: readonly BanName[],
): readonly { readonly ban: BanName; readonly line: number }[] {
  if (names.length === 0) return [];
  const uses = usesOf(source);
  return names.flatMap((ban) => {
    const lines = uses.filter(({ name }) => forbids(bans[ban].uses, name)).map(({ line }) => line);
    return [...new Set(lines)].map((line) => ({ ban, line }));
  });
}

/** An import of everything from a module ("#*") includes its forbidden exports. */
function forbids(forbidden: readonly string[], name: string): boolean {
  return forbidden.some(
    (each) => each === name || (name.endsWith('#*') && each.startsWith(name.slice(0, -1))),
  );
}

/** Everything in a file that a ban could name. */
function usesOf(source: Source): readonly Use[] {
  const imported = source.imports.flatMap(({ specifier, names, line }) => {
    // A file of ours is named by the last two parts of its path.
    const module = specifier.startsWith('.') ? specifier.split('/').slice(-2).join('/') : specifier;
    return [module, ...names.map((name) => `${module}#${name}`)].map((name) => ({ name, line }));
  });
  const local = declaredNames(source);
  const used = source.nodes.flatMap((placed) => {
    const name = constructOf(placed.node) ?? memberOf(placed.node, local) ?? globalOf(placed, local);
    return name === null ? [] : [{ name, line: source.lineOf(placed.node.start) }];
  });
  return [...imported, ...used];
}

function constructOf(node: SyntaxNode): string | null {
  if (node['async'] === true || node.type === 'AwaitExpression') return 'async';
  if (isSql(node)) return 'SQL';
  const isCall = node.type === 'NewExpression' || node.type === 'CallExpression';
  const args = node['arguments'];
  const hasNone = Array.isArray(args) && args.length === 0;
  return isCall && hasNone && identifierName(child(node, 'callee')) === 'Date' ? 'Date()' : null;
}

/** The name of a global's member: "Date.now" for Date.now, for globalThis.Date.now and with the member in brackets. */
function memberOf(node: SyntaxNode, local: ReadonlySet<string>): string | null {
  if (node.type !== 'MemberExpression') return null;
  const object = child(node, 'object');
  const isGlobal =
    object?.type === 'MemberExpression' && identifierName(child(object, 'object')) === 'globalThis';
  const owner = identifierName(isGlobal ? child(object, 'property') : object);
  const property = child(node, 'property');
  const name = identifierName(property) ?? property?.['value'];
  return owner === null || local.has(owner) ? null : `${owner}.${String(name)}`;
}

/** A name that the file does not declare, unless it is only the name of a property. */
function globalOf({ node, parent, key }: PlacedNode, local: ReadonlySet<string>): string | null {
  const name = identifierName(node);
  const isProperty = key === 'property' || key === 'key';
  const isOnlyName = isProperty && parent?.['computed'] !== true && parent?.['shorthand'] !== true;
  return name === null || local.has(name) || isOnlyName ? null : name;
}

/** The variables, functions and parameters of a file. Imports are left out: `process` of node:process stays a global. */
function declaredNames(source: Source): ReadonlySet<string> {
  const declared = source.nodes.flatMap(({ node }) => {
    const isDeclaration = node.type === 'VariableDeclarator' || node.type === 'FunctionDeclaration';
    // The parser gives nodes in this list and nothing else.
    const params = Array.isArray(node['params']) ? (node['params'] as SyntaxNode[]) : [];
    return isDeclaration ? [child(node, 'id'), ...params] : params;
  });
  return new Set(declared.flatMap((node) => identifierName(node) ?? []));
}

const sqlText =
  /\b(?:select\s[\s\S]*?\sfrom\s|insert\s+into\s+\w|update\s+\w+\s+(?:\w+\s+)?set\s|delete\s+from\s+\w|truncate\s+(?:table\s+)?\w|(?:create|alter|drop)\s+(?:table|index|role|database)\s)/i;
/** Prose may have such words, too. SQL has its keywords in one case. */
const sqlCase =
  /\b(?:SELECT|INSERT|UPDATE|DELETE|TRUNCATE|CREATE|ALTER|DROP)\b|^\s*(?:select|insert|update|delete|truncate)\b/;

function isSql(node: SyntaxNode): boolean {
  if (node.type !== 'TemplateElement' && node.type !== 'Literal') return false;
  const value = node['value'];
  // A piece of a template has its text in an object.
  const text = typeof value === 'object' && value !== null && 'raw' in value ? value.raw : value;
  return typeof text === 'string' && sqlText.test(text) && sqlCase.test(text);
}
