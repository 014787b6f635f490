// What one receiver may send for one request: all of it is counted before the parser sees it, only the body is kept.

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

/** An answer that only says "go on", which nobody asked for; undici takes it for an error, and 103 for what it is. */
const CONTINUE = 'HTTP/1.1 100';
const CODE_AT = CONTINUE.length - '100'.length;

/**
 * Counts all bytes that come for one request. undici bounds headers and body and nothing else, and takes other bytes in
 * without an end: a flood of bytes that make neither would hold up the whole process.
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

  /** How many of these bytes the parser may get: fewer than there are where that is too much. */
  admit(read: Buffer): number {
    if (!this.#isAnswered) renumberContinue(read);
    this.#bytes += read.length;
    if (this.#bytes <= SMALL_BYTES) return read.length;
    const tooLongBy = Math.max(0, this.#bytes - MAX_RECEIVED_BYTES);
    return Math.min(read.length - tooLongBy, this.#countLines(read));
  }

  /** Up to where the lines are not too many. */
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

/** One that comes in two pieces costs the attempt. */
function renumberContinue(read: Buffer): void {
  for (let at = read.indexOf(CONTINUE); at >= 0; at = read.indexOf(CONTINUE, at + CONTINUE.length)) {
    read.write('103', at + CODE_AT, 'latin1');
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
