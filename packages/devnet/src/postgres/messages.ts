// Assembles one direction of a PostgreSQL connection into whole messages.

export interface PostgresMessage {
  /** Null before the session begins, where messages have no type. */
  readonly type: string | null;
  readonly bytes: Buffer;
}

const PROTOCOL_3 = 3;

/** Takes pieces of any size and yields each message once it is complete. */
export class PostgresMessages {
  #rest: Buffer = Buffer.alloc(0);
  #hasTypes: boolean;

  /**
   * A server's messages have types from the first one on. A client's messages have types only once its session has
   * begun.
   */
  constructor(from: 'client' | 'server') {
    this.#hasTypes = from === 'server';
  }

  *push(piece: Buffer): Generator<PostgresMessage> {
    this.#rest = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    for (;;) {
      const typeBytes = this.#hasTypes ? 1 : 0;
      if (this.#rest.length < typeBytes + 4) return;
      const length = typeBytes + this.#rest.readInt32BE(typeBytes);
      if (this.#rest.length < length) return;
      const bytes = this.#rest.subarray(0, length);
      this.#rest = this.#rest.subarray(length);
      const type = this.#hasTypes ? String.fromCharCode(bytes[0] ?? 0) : null;
      // Requests for encryption or a cancellation come before the start of a session and have other version numbers.
      this.#hasTypes ||= bytes.readInt16BE(4) === PROTOCOL_3;
      yield { type, bytes };
    }
  }

  /** Whether the session has begun. */
  get hasBegun(): boolean {
    return this.#hasTypes;
  }
}

/** The texts at the start of a message's content, each of which ends with a zero byte. */
export function textsOf({ bytes }: PostgresMessage, from: number, count: number): readonly string[] {
  const texts: string[] = [];
  let start = from;
  for (; texts.length < count; ) {
    const end = bytes.indexOf(0, start);
    if (end < 0) return texts;
    texts.push(bytes.toString('utf8', start, end));
    start = end + 1;
  }
  return texts;
}
