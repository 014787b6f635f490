// The words and constructs that rooms must not contain, each with the reason that is shown.
import { child, identifierName, type Source, type SyntaxNode } from './source.ts';

export interface Ban {
  readonly why: string;
  /** Names that nobody in the file declared, such as fetch. */
  readonly globals?: readonly string[];
  /** Members of such names, such as Date.now. */
  readonly members?: readonly string[];
  /** Modules of Node, without "node:"; with "#name" only that export. */
  readonly modules?: readonly string[];
  /** Names imported from another file of ours, as "file ending#name". */
  readonly names?: readonly string[];
  /** Constructs that need more than a name. */
  readonly syntax?: (node: SyntaxNode) => boolean;
}

export const bans = {
  clock: {
    why: 'time comes from World, or as an argument',
    members: ['Date.now', 'performance.now', 'process.hrtime', 'process.uptime'],
    modules: ['perf_hooks'],
    // With an argument a Date only converts, without one it reads the clock.
    syntax: (node) => isDateCall(node),
  },
  'any-date': {
    why: 'core counts Unix seconds and knows no calendar',
    globals: ['Date', 'Intl', 'Temporal'],
  },
  chance: {
    why: 'randomness comes from World, or as an argument',
    members: ['Math.random', 'crypto.getRandomValues', 'crypto.randomUUID'],
    modules: [
      'crypto#randomBytes',
      'crypto#randomUUID',
      'crypto#randomInt',
      'crypto#randomFill',
      'crypto#randomFillSync',
      'crypto#webcrypto',
    ],
  },
  timers: {
    why: 'waiting is World.sleep, so that the simulator can hold the clock',
    globals: ['setTimeout', 'setInterval', 'setImmediate'],
    members: ['AbortSignal.timeout'],
    modules: ['timers', 'timers/promises'],
  },
  environment: {
    why: 'the environment is read once, by config.ts or main.ts',
    members: ['process.env', 'process.argv'],
  },
  process: {
    why: 'the process belongs to main.ts',
    globals: ['process'],
    modules: ['process', 'child_process', 'worker_threads', 'cluster'],
  },
  network: {
    why: 'the network is reached through a port',
    globals: ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'],
    modules: [],
  },
  http: {
    why: 'the signer answers on its own socket and on nothing else',
    modules: ['http', 'https', 'http2', 'dgram', 'dns', 'dns/promises', 'tls'],
  },
  async: {
    why: 'a decision of core is never interrupted half way',
    globals: ['Promise', 'queueMicrotask'],
    syntax: (node) => node['async'] === true || node.type === 'AwaitExpression',
  },
  pool: { why: 'only compose opens the database', names: ['/postgres/tx.ts#openDatabase'] },
  sql: { why: 'SQL stands in db', syntax: (node) => isSql(node) },
} satisfies Readonly<Record<string, Ban>>;

export type BanName = keyof typeof bans;

/** Lines of `source` where the ban is broken. */
export function brokenAt(source: Source, name: BanName): readonly number[] {
  const ban: Ban = bans[name];
  const lines = new Set<number>();
  for (const { specifier, names, line } of source.imports) {
    for (const imported of names) if (isBannedImport(ban, specifier, imported)) lines.add(line);
  }
  const globals = new Set(ban.globals ?? []);
  const members = new Set(ban.members ?? []);
  const local = globals.size + members.size === 0 ? new Set<string>() : declaredNames(source);
  for (const { node, parent, key } of source.nodes) {
    const isBroken =
      (ban.syntax?.(node) ?? false) ||
      isBannedGlobal(node, parent, key, globals, local) ||
      isBannedMember(node, members, local);
    if (isBroken) lines.add(source.lineOf(node.start));
  }
  return [...lines].sort((a, b) => a - b);
}

function isBannedImport(ban: Ban, specifier: string, imported: string): boolean {
  const ours = (ban.names ?? []).some((name) => {
    const [ending = '', export_] = name.split('#');
    return specifier.endsWith(ending) && (imported === export_ || imported === '*');
  });
  if (ours) return true;
  const module = specifier.replace(/^node:/, '');
  return (ban.modules ?? []).some((name) => name === module || name === `${module}#${imported}`);
}

function isBannedGlobal(
  node: SyntaxNode,
  parent: SyntaxNode | null,
  key: string,
  globals: ReadonlySet<string>,
  local: ReadonlySet<string>,
): boolean {
  const name = identifierName(node);
  if (name === null || !globals.has(name) || local.has(name)) return false;
  const isName =
    (key === 'property' || key === 'key') && parent?.['computed'] !== true && parent?.['shorthand'] !== true;
  return !isName;
}

function isBannedMember(node: SyntaxNode, members: ReadonlySet<string>, local: ReadonlySet<string>): boolean {
  if (node.type !== 'MemberExpression') return false;
  const object = child(node, 'object');
  const owner = identifierName(object) ?? globalThisMember(object);
  const property = child(node, 'property');
  const name = identifierName(property) ?? property?.['value'];
  return owner !== null && !local.has(owner) && members.has(`${owner}.${String(name)}`);
}

function globalThisMember(node: SyntaxNode | null): string | null {
  if (node?.type !== 'MemberExpression' || identifierName(child(node, 'object')) !== 'globalThis')
    return null;
  return identifierName(child(node, 'property'));
}

/** Everything the file declares or imports with a value of its own; `process` from node:process stays a global. */
function declaredNames(source: Source): ReadonlySet<string> {
  const names = new Set<string>();
  const add = (node: SyntaxNode | null) => {
    const name = identifierName(node);
    if (name !== null) names.add(name);
  };
  for (const { node } of source.nodes) {
    if (node.type === 'VariableDeclarator' || node.type === 'FunctionDeclaration') add(child(node, 'id'));
    if (Array.isArray(node['params'])) for (const param of node['params']) add(param);
  }
  return names;
}

function isDateCall(node: SyntaxNode): boolean {
  if (node.type !== 'NewExpression' && node.type !== 'CallExpression') return false;
  const args = node['arguments'];
  return identifierName(child(node, 'callee')) === 'Date' && Array.isArray(args) && args.length === 0;
}

const sqlText =
  /\b(?:select\s[\s\S]*?\sfrom\s|insert\s+into\s+\w|update\s+\w+\s+(?:\w+\s+)?set\s|delete\s+from\s+\w|truncate\s+(?:table\s+)?\w|(?:create|alter|drop)\s+(?:table|index|role|database)\s)/i;
/** Prose may hold such words too; SQL is written with its keywords in one case. */
const sqlCase =
  /\b(?:SELECT|INSERT|UPDATE|DELETE|TRUNCATE|CREATE|ALTER|DROP)\b|^\s*(?:select|insert|update|delete|truncate)\b/;

function isSql(node: SyntaxNode): boolean {
  const text =
    node.type === 'TemplateElement' ? rawText(node['value']) : node.type === 'Literal' ? node['value'] : null;
  return typeof text === 'string' && sqlText.test(text) && sqlCase.test(text);
}

function rawText(value: unknown): string | null {
  return typeof value === 'object' && value !== null && 'raw' in value && typeof value.raw === 'string'
    ? value.raw
    : null;
}
