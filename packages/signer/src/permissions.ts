// Who may ask the signer for what: clients, their tokens (as hashes) and their methods.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { exactObject } from './exact-object.ts';
import { OperatorError } from './operator-error.ts';
import { isClientName, methods, type Method } from './protocol.ts';

export interface Client {
  readonly name: string;
  readonly methods: ReadonlySet<Method>;
}

export interface Permissions {
  /** The client, when name and token belong together. An unknown name and a wrong token cost and answer the same. */
  authenticate(name: string, token: string): Client | undefined;
  /** Whether the name is configured. For log lines, which never repeat what a stranger sent. */
  isKnown(name: string): boolean;
}

interface Entry extends Client {
  readonly tokenHash: Buffer;
}

const maxClients = 64;

/**
 * Reads the clients file: {"clients":[{"name","tokenSha256","methods"}]}, where tokenSha256 is the SHA-256 of the token
 * in lower-case hex. Throws OperatorError 'bad-clients', which names the place.
 */
export function readPermissions(text: string): Permissions {
  const file = exactObject(parse(text), ['clients']);
  if (file === undefined || !Array.isArray(file.clients)) {
    throw bad('The clients file must be {"clients":[…]} and nothing else.');
  }
  const list: unknown[] = file.clients;
  if (list.length < 1 || list.length > maxClients)
    throw bad(`The clients file must list 1 to ${maxClients} clients.`);
  const entries = new Map<string, Entry>();
  const hashes = new Set<string>();
  for (const [index, value] of list.entries()) {
    const entry = readEntry(value, `clients[${index}]`);
    const hash = entry.tokenHash.toString('hex');
    if (entries.has(entry.name)) throw bad(`clients[${index}].name appears twice.`);
    if (hashes.has(hash))
      throw bad(`clients[${index}].tokenSha256 appears twice: every client needs its own token.`);
    entries.set(entry.name, entry);
    hashes.add(hash);
  }
  return permissionsOf(entries);
}

function permissionsOf(entries: ReadonlyMap<string, Entry>): Permissions {
  // An unknown name is compared with a random hash, so that it takes as long as a wrong token.
  const nobody: Entry = { name: '', methods: new Set(), tokenHash: randomBytes(32) };
  return {
    authenticate(name, token) {
      const entry = entries.get(name) ?? nobody;
      const hash = createHash('sha256').update(token, 'utf8').digest();
      const matches = timingSafeEqual(hash, entry.tokenHash);
      return matches && entry !== nobody ? entry : undefined;
    },
    isKnown: (name) => entries.has(name),
  };
}

function readEntry(value: unknown, place: string): Entry {
  const entry = exactObject(value, ['name', 'tokenSha256', 'methods']);
  if (entry === undefined) throw bad(`${place} must have name, tokenSha256 and methods, and nothing else.`);
  const { name, tokenSha256 } = entry;
  if (!isClientName(name))
    throw bad(`${place}.name must be lower case letters, digits and dashes, at most 32.`);
  if (typeof tokenSha256 !== 'string' || !/^[0-9a-f]{64}$/.test(tokenSha256)) {
    throw bad(
      `${place}.tokenSha256 must be 64 lower-case hex digits: the SHA-256 of the token, never the token.`,
    );
  }
  return { name, tokenHash: Buffer.from(tokenSha256, 'hex'), methods: readMethods(entry.methods, place) };
}

function readMethods(value: unknown, place: string): ReadonlySet<Method> {
  if (!Array.isArray(value)) throw bad(`${place}.methods must be a list.`);
  const names: unknown[] = value;
  const allowed = methods.filter((method) => names.includes(method));
  if (names.length === 0 || allowed.length !== names.length) {
    throw bad(`${place}.methods must name methods of the signer, each once: ${methods.join(', ')}.`);
  }
  return new Set(allowed);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the input, which might be a token put in the wrong place.
    throw bad('The clients file is not valid JSON.');
  }
}

function bad(message: string): OperatorError {
  return new OperatorError('bad-clients', message);
}
