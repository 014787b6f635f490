// Structured logs: one JSON line a fact, secrets masked wherever they might slip in.
import pino from 'pino';

/** What rooms may do with the log: fields first, then a short sentence. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Field names whose values are never printed, at the top and one level down. */
const SECRET_FIELDS = [
  'appKey',
  'key',
  'token',
  'secret',
  'passphrase',
  'password',
  'otp_code',
  'x-sign',
  'X-Sign',
];

/** Logs to standard output, or to `destination` in tests. */
export function createLog(level: string, destination?: pino.DestinationStream): Log {
  const options: pino.LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: SECRET_FIELDS.flatMap((name) => [`["${name}"]`, `*["${name}"]`]), censor: '***' },
    serializers: { error: describeError },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/** An error with its causes, without the request or the connection it happened on. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? {} : { cause: describeError(error.cause) };
  return { name: error.name, message: error.message, stack: error.stack, ...cause };
}
