// Structured logs: one JSON line a fact, secrets masked wherever they might slip in.
import pino from 'pino';

/** What rooms may do with the log: fields first, then a short sentence. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Field names whose values are never printed, however deep they stand; case, `-` and `_` do not count. */
const SECRET_FIELDS = new Set([
  'appkey',
  'apikey',
  'key',
  'privatekey',
  'token',
  'secret',
  'mastersecret',
  'passphrase',
  'password',
  'mnemonic',
  'seed',
  'otpcode',
  'xsign',
  'authorization',
]);

/**
 * Matches `scheme://user:password@`, also with a password that was not escaped, and `scheme://key@`. It rather matches too
 * much than too little.
 */
const CREDENTIALS = /([a-z][a-z0-9+.-]{0,30}:\/\/)(?:[^\s/?#@:]{0,256}:\S{0,512}@|[^\s/?#@]{1,512}@)/gi;

/** Values nested deeper are not printed, because nothing so deep was meant for a log. */
const MAX_DEPTH = 8;
const MASK = '***';

/** Logs to standard output, or to `destination` in tests. */
export function createLog(level: string, destination?: pino.DestinationStream): Log {
  const options: pino.LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }), log: maskFields },
    // Fields arrive masked. Pino's own serializer for errors would read the original, unmasked error.
    serializers: { err: (error: unknown) => error },
    hooks: {
      logMethod(args, method) {
        const [fields, message] = args;
        method.call(this, fields, typeof message === 'string' ? maskText(message) : message);
      },
    },
  };
  return pino(options, destination ?? inOneWrite(pino.destination(process.stdout.fd)));
}

/** Lines that are logged within one tick are written together, because the system call costs more than a line. */
function inOneWrite(out: ReturnType<typeof pino.destination>): pino.DestinationStream {
  let lines = '';
  const flush = () => {
    if (lines !== '') out.write(lines);
    lines = '';
  };
  process.once('exit', () => {
    flush();
    // Lines that come during a write wait for the end of that write, which the process would not live to see.
    out.flushSync();
  });
  return {
    write: (line) => {
      if (lines === '') process.nextTick(flush);
      lines += line;
    },
  };
}

function maskFields(fields: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, isSecret(name) ? MASK : masked(value, 1)]),
  );
}

function masked(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return maskText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return '…';
  if (value instanceof Error) return describeError(value, depth);
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  if (value instanceof Date) return value;
  if (value instanceof URL) return maskText(value.href);
  if (Array.isArray(value)) return value.map((item) => masked(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, isSecret(name) ? MASK : masked(inner, depth + 1)]),
  );
}

function isSecret(name: string): boolean {
  return SECRET_FIELDS.has(name.toLowerCase().replaceAll(/[-_]/g, ''));
}

function maskText(text: string): string {
  // Nearly every text of a log is without a URL, and the search for these three characters costs next to nothing.
  return text.includes('://') ? text.replace(CREDENTIALS, `$1${MASK}@`) : text;
}

/** An error with its causes, without the request or the connection it happened on. */
function describeError({ name, message, stack, cause }: Error, depth: number): object {
  const because = cause === undefined ? {} : { cause: masked(cause, depth + 1) };
  return { name, message: maskText(message), stack: maskText(stack ?? ''), ...because };
}
