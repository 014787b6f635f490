// Bounds what a receiver may send for one request: all bytes are counted before the parser gets them. Keeps the body only.

/** The most that is read of the body of an answer. A longer body is not `Success`. */
export const MAX_ANSWER_BYTES = 64 * 1024;
export const MAX_HEADER_BYTES = 16 * 1024;
/** For bytes that are neither body nor header: chunk sizes, trailers, informational answers, empty lines. */
const MAX_FRAMING_BYTES = 16 * 1024;
/** The most that is read for one request, of bytes of any kind. */
export const MAX_RECEIVED_BYTES = MAX_ANSWER_BYTES + MAX_HEADER_BYTES + MAX_FRAMING_BYTES;
/**
 * More lines than any meaningful answer has; each answer, header and chunk has one at least. Lines that are empty or white
 * space are not counted: they cost nothing, and may be around `Success`.
 */
export const MAX_LINES = 2_000;
/** Up to so many bytes, lines are not counted: they are few, and counting them costs more than it saves. */
const SMALL_BYTES = 4 * 1024;
const LINE_FEED = 0x0a;
const SPACE = 0x20;
/** Answers such as 100 and 103 that may come before the one that counts. */
export const MAX_INFORMATIONAL = 8;

/** An informational answer that no request asked for. undici takes 100 for an error, and 103 for an informational answer. */
const CONTINUE = 'HTTP/1.1 100';
const CODE_AT = CONTINUE.length - '100'.length;

/**
 * Counts all bytes that come for one request. undici bounds headers and body only, and accepts other bytes without end: a
 * flood of bytes that are neither would hold up the whole process.
 */
export class Intake {
  #bytes = 0;
  #lines = 0;
  #lineIsEmpty = true;
  #isAnswered = false;

  /** The answer that counts has begun. */
  answered(): void {
    this.#isAnswered = true;
  }

  /** How many of these bytes the parser may get: not all of them where a bound is passed. */
  admit(read: Buffer): number {
    if (!this.#isAnswered) renumberContinue(read);
    this.#bytes += read.length;
    if (this.#bytes <= SMALL_BYTES) return read.length;
    const tooLongBy = Math.max(0, this.#bytes - MAX_RECEIVED_BYTES);
    return Math.min(read.length - tooLongBy, this.#countLines(read));
  }

  /** How many of these bytes come before the first line beyond the bound. */
  #countLines(read: Buffer): number {
    for (let at = 0; at < read.length; at++) {
      const byte = read[at] ?? 0;
      if (byte === LINE_FEED) this.#lineIsEmpty = true;
      else if (this.#lineIsEmpty && byte > SPACE) {
        this.#lineIsEmpty = false;
        this.#lines += 1;
        if (this.#lines > MAX_LINES) return at;
      }
    }
    return read.length;
  }
}

/** Turns each 100 into 103. A 100 that comes in two pieces is missed, and costs the attempt. */
function renumberContinue(read: Buffer): void {
  for (let at = read.indexOf(CONTINUE); at >= 0; at = read.indexOf(CONTINUE, at + CONTINUE.length)) {
    read.write('103', at + CODE_AT, 'latin1');
  }
}

/** The body of an answer, copied: a piece of one byte would keep alive all that was read with it. */
export class AnswerBody {
  #kept = Buffer.allocUnsafe(32);
  #length = 0;

  /** False, and nothing is kept of the piece, where the body would be too long with it. */
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
