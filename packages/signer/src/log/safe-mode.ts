// Safe mode: on when the log may lack signatures that were given; nothing new is signed until a person resumes the log.
import type { OpenedLog } from './signing-log.ts';

export interface SafeMode {
  isOn(): boolean;
  /** The position of the log as clients see it: its sequence plus its offset. */
  position(): number;
  /** Notes the position that a client has seen. A position beyond the log's own is logged and turns safe mode on. */
  noteSeen(clientPosition: number, nowMs: number): void;
}

/** Turns safe mode on at once where the file is a copy. */
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
