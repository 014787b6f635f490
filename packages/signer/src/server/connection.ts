// Serves one connection: lines in, answers out, in order, with bounds on size and on idleness.
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type AnswerContext, answerLine, answerTooLong } from './answer.ts';
import { createLineSplitter } from './line-splitter.ts';
import { maxLineBytes } from '../protocol.ts';

/**
 * Answers lines until the peer ends, breaks the rules, or completes no line for `idleTimeoutMs`.
 * Resolves when the connection is done with and never rejects: trouble with one peer is that peer's alone.
 */
export async function attend(socket: Socket, context: AnswerContext, idleTimeoutMs: number): Promise<void> {
  // Counted from the last whole line and not from the last byte, so that a peer that sends single bytes cannot hold a
  // connection open.
  const idle = setTimeout(() => socket.destroy(), idleTimeoutMs);
  const splitter = createLineSplitter(maxLineBytes);
  try {
    for await (const chunk of socket) {
      if (!Buffer.isBuffer(chunk)) return;
      for (const line of splitter.push(chunk)) {
        const answer = line === 'too-long' ? answerTooLong(context) : answerLine(context, line);
        // Waiting for each write keeps at most one answer in memory. A peer that does not read its answers is not read
        // from.
        await write(socket, answer.text);
        if (answer.hangUp) return;
        idle.refresh();
        // One key derivation takes milliseconds; other connections get their turn between two lines.
        await nextTurn();
      }
    }
  } catch {
    // The peer went away in the middle; no client is left to answer.
  } finally {
    clearTimeout(idle);
    socket.destroy();
  }
}

function write(socket: Socket, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.write(text, (error) => {
      if (error === null || error === undefined) resolve();
      else reject(error);
    });
  });
}
