// The log of the API's calls: gathered in memory and written once a second, so that no call waits for it.
import type { AppKeys } from '../../../keys/app-keys.ts';
import { recordCalls } from '../../../flows/calls/record-calls.ts';
import type { ApiCall } from '../../../db/tables/api-calls.ts';
import { createCallIds } from '../../../runtime/ids.ts';
import { Outage } from '../../../runtime/outage.ts';
import { within, type World } from '../../../runtime/world.ts';
import type { Transact } from '../../../db/postgres/tx.ts';
import type { ApiLogger, ApiObserver } from '../api-deps.ts';
import type { AnsweredCall } from './answered-call.ts';
import { durationOf, lineOf } from './call-line.ts';
import { createCallPaces } from './call-paces.ts';
import { LineBuffer } from './line-buffer.ts';

const WRITE_EVERY_MS = 1_000;
/** Lines that wait, with at most 4 kB of a body each. Lines of unproven calls wait apart, so they displace no others. */
const MOST_PROVEN = 2_000;
const MOST_UNPROVEN = 500;
/** How long the end of the process waits for the last lines. */
const CLOSE_WITHIN_MS = 2_000;

export interface CallLog {
  /** Adds an answered call to the log. */
  answered(call: AnsweredCall): void;
  /** Writes the waiting lines, if the database accepts them within `CLOSE_WITHIN_MS`. */
  close(): Promise<void>;
}

interface CallLogDeps {
  readonly appKeys: Pick<AppKeys, 'lastKnownKeysFor'>;
  readonly transact: Transact;
  readonly world: World;
  readonly logger: Pick<ApiLogger, 'error'>;
  readonly observer: Pick<ApiObserver, 'lostCallLines'>;
}

export function createCallLog({ appKeys, transact, world, logger, observer }: CallLogDeps): CallLog {
  const [proven, unproven] = [new LineBuffer(MOST_PROVEN), new LineBuffer(MOST_UNPROVEN)];
  const bufferOf = ({ isProven }: { readonly isProven: boolean }) => (isProven ? proven : unproven);
  const hasLine = createCallPaces();
  const newCallId = createCallIds(world);
  const closing = new AbortController();
  let writing: Promise<void> | null = null;

  /** Runs while there are lines or counts to write. */
  async function writeOn(): Promise<void> {
    while (!proven.isEmpty || !unproven.isEmpty) {
      await world.sleep(WRITE_EVERY_MS, closing.signal);
      const isLast = closing.signal.aborted;
      const lines = [proven, unproven].flatMap((buffer) => buffer.take(world.nowMs(), isLast));
      if (lines.length > 0) await write(lines, isLast);
      if (isLast) break;
    }
    writing = null;
  }

  /** Lines go back into the buffer after an outage, which may be over soon. After any other error they would fail again. */
  async function write(lines: readonly ApiCall[], isLast: boolean): Promise<void> {
    try {
      await transact((tx) => recordCalls(tx, lines), 'one-statement');
    } catch (error) {
      const again = error instanceof Outage && !isLast;
      if (!(error instanceof Outage)) logger.error({ err: error }, 'the log of calls could not be written');
      lose(again ? putBack(lines) : lines.length);
    }
  }

  function putBack(lines: readonly ApiCall[]): number {
    const of = (isProven: boolean) => lines.filter((line) => line.isProven === isProven);
    return proven.putBack(of(true)) + unproven.putBack(of(false));
  }

  function lose(lines: number): void {
    if (lines > 0) observer.lostCallLines(lines);
  }

  return {
    answered(call) {
      if (closing.signal.aborted) return lose(1);
      const nowMs = world.nowMs();
      const access = appKeys.lastKnownKeysFor(call.appId);
      const line = () => lineOf(call, access, { callId: newCallId(), atMs: nowMs });
      const isKept = hasLine(call, access !== null, nowMs)
        ? bufferOf(call).add(line())
        : // Calls that name an unknown app are not even counted, because anybody can make up names.
          access === null || bufferOf(call).count(likenessOf(call), durationOf(call), line);
      if (!isKept) lose(1);
      if (writing === null && !(proven.isEmpty && unproven.isEmpty)) writing = writeOn();
    },
    async close() {
      closing.abort();
      if (writing !== null) await within(world, CLOSE_WITHIN_MS, writing);
    },
  };
}

function likenessOf({ appId, operation, code, httpStatus }: AnsweredCall): string {
  return `${appId} ${operation} ${code} ${httpStatus}`;
}
