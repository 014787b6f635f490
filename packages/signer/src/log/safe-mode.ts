// Safe mode: whether the log may be older than what was signed. Then nothing new is signed until a person resumes it.
import type { OpenedLog } from './signing-log.ts';

export interface SafeMode {
  isOn(): boolean;
  /** Where the log stands, as clients are given it. */
  position(): number;
  /** A client has seen this position. One beyond ours is written down and turns safe mode on. */
  noteSeen(clientPosition: number, nowMs: number): void;
}

/** Notes at once where the file is a copy. */
export function openSafeMode({ log, replayed, isInPlace }: OpenedLog, nowMs: number): SafeMode {
  let { isSafeMode, seen } = replayed;
  const position = (): number => log.head().sequence + replayed.offset;
  if (!isInPlace && !isSafeMode) {
    log.append({ event: 'safe-mode', reason: 'copied', seen: 0 }, nowMs);
    isSafeMode = true;
  }
  return {
    isOn: () => isSafeMode,
    position,
    noteSeen(clientPosition, atMs) {
      if (clientPosition <= Math.max(position(), seen)) return;
      log.append({ event: 'safe-mode', reason: 'behind', seen: clientPosition }, atMs);
      isSafeMode = true;
      seen = clientPosition;
    },
  };
}
