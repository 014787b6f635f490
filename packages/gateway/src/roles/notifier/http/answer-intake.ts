// What one receiver may send for one request: all of it is counted before the parser sees it, only the body is kept.
import type { ClientRequest } from 'node:http';
import type { Socket } from 'node:net';

/** Read of the body of an answer at most; a longer one is not `Success`. */
export const MAX_ANSWER_BYTES = 64 * 1024;
export const MAX_HEADER_BYTES = 16 * 1024;
/** For what is neither: the sizes of chunks, trailers, informational answers, empty lines. */
const MAX_FRAMING_BYTES = 16 * 1024;
/** Read at most, whatever it is. */
export const MAX_RECEIVED_BYTES = MAX_ANSWER_BYTES + MAX_HEADER_BYTES + MAX_FRAMING_BYTES;
/**
 * More lines than any meaningful answer has; each answer, header and chunk has one at least. Empty ones,
 * and those of white space, cost nothing and may be around `Success`.
 */
export const MAX_LINES = 2_000;
/** So few bytes hold few lines; counting them costs more than it saves. */
const SMALL_BYTES = 4 * 1024;
const LINE_FEED = 0x0a;
const SPACE = 0x20;
/** Answers such as 100 and 103 that may come before the one that counts. */
export const MAX_INFORMATIONAL = 8;

/**
 * Watches all bytes that come for a request. Node bounds the headers of one answer and nothing else, and parses in one
 * go as much as the system has for it, so a flood of bytes that make no body would hold up the whole process.
 */
export class Intake {
  /** There was more than the bounds allow. What the parser says from then on is about bytes that nobody sent. */
  exceeded = false;
  readonly #tooMuch: () => void;
  #socket: Socket | null = null;
  #read: Buffer | null = null;
  #bytes = 0;
  #lines = 0;
  #lineIsEmpty = true;
  #informational = 0;

  /** Calls `tooMuch` soon after there was; that has to end the request. */
  constructor(outgoing: ClientRequest, tooMuch: () => void) {
    this.#tooMuch = tooMuch;
    outgoing.on('information', () => {
      this.#informational += 1;
      if (this.#informational > MAX_INFORMATIONAL) this.#stop(0);
    });
  }

  /** Begins with the first byte: the parser listens already, and is called after this. */
  watch(socket: Socket): void {
    this.#socket = socket;
    socket.prependListener('data', this.#onData);
  }

  /** The connection may live on for another request. */
  unwatch(): void {
    this.#socket?.off('data', this.#onData);
    this.#socket = null;
    this.#read = null;
  }

  readonly #onData = (read: Buffer): void => {
    this.#read = read;
    this.#bytes += read.length;
    if (this.#bytes <= SMALL_BYTES) return;
    const tooLongBy = this.#bytes - MAX_RECEIVED_BYTES;
    if (tooLongBy > 0) this.#stop(Math.max(0, read.length - tooLongBy));
    this.#countLines(read);
  };

  #countLines(read: Buffer): void {
    for (let at = 0; at < read.length; at++) {
      const byte = read[at] ?? 0;
      if (byte === LINE_FEED) this.#lineIsEmpty = true;
      else if (this.#lineIsEmpty && byte > SPACE) {
        this.#lineIsEmpty = false;
        this.#lines += 1;
        if (this.#lines > MAX_LINES) return this.#stop(at);
      }
    }
  }

  /** Nothing takes back from the parser what was read already; with zeros it ends, or finds no more than a text. */
  #stop(from: number): void {
    this.#read?.fill(0, from);
    if (!this.exceeded) queueMicrotask(this.#tooMuch);
    this.exceeded = true;
  }
}

/** The body of an answer, copied: a piece of one byte would keep alive all that was read with it. */
export class AnswerBody {
  #kept = Buffer.allocUnsafe(32);
  #length = 0;

  /** False, and nothing kept, when it is too long with this. */
  add(piece: Buffer): boolean {
    const length = this.#length + piece.length;
    if (length > MAX_ANSWER_BYTES) return false;
    if (length > this.#kept.length) {
      const grown = Buffer.allocUnsafe(Math.min(MAX_ANSWER_BYTES, Math.max(length, 2 * this.#kept.length)));
      this.#kept.copy(grown, 0, 0, this.#length);
      this.#kept = grown;
    }
    piece.copy(this.#kept, this.#length);
    this.#length = length;
    return true;
  }

  text(): string {
    return this.#kept.toString('utf8', 0, this.#length);
  }
}
