// One JSON object per log line, with fixed fields only, so that no secret can slip in.

/** What may be logged. Every string is either fixed in the code, configured, or made by us; nothing a client sent. */
export type LogEntry =
  | {
      readonly event: 'ready';
      readonly socket: string;
      readonly keyId: string;
      readonly demo: boolean;
      readonly signing: 'off' | 'on' | 'safe-mode';
      /** Position and hash of the signing log. Kept on another machine, they show later whether the log was rewritten. */
      readonly log: { readonly sequence: number; readonly hash: string } | null;
    }
  | {
      readonly event: 'request';
      readonly client: string;
      readonly method: string;
      readonly outcome: string;
      readonly durationMs: number;
    }
  | { readonly event: 'connection-refused'; readonly outcome: 'too-many' }
  | { readonly event: 'bug'; readonly name: string; readonly frames: readonly string[] }
  | { readonly event: 'stopping'; readonly signal: string }
  | { readonly event: 'stopped' };

export type Log = (entry: LogEntry) => void;

/** A log that writes each entry with its UTC time as one line. */
export function jsonLog(write: (line: string) => void): Log {
  return (entry) => write(`${JSON.stringify({ time: new Date().toISOString(), ...entry })}\n`);
}

/** A caught bug as a log entry: its name and where it happened. The message is left out, because it might quote data. */
export function bugEntry(error: unknown): LogEntry {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const frames = stack
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, 12);
  return {
    event: 'bug',
    name: error instanceof Error ? error.name : typeof error,
    frames: frames.map((line) => line.trim()),
  };
}
