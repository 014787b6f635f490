// An open connection as the HTTP client sees it: passes on the bytes of an answer within bounds, and none between two.
import type { Socket } from 'node:net';
import { Intake } from './answer-intake.ts';
import { Deadline } from './deadline.ts';
import { MeteredStream } from './metered-stream.ts';
import type { TlsMeter } from './tls-meter.ts';

/** How long after the answer the rest of the request may take. */
const LATE_WRITE_MS = 100;

/** More came for one answer than the bounds allow. */
export class AnswerFlood extends Error {}

export class AnswerStream extends MeteredStream {
  readonly #beneath: TlsMeter | null;
  /** Null between two webhooks. */
  #intake: Intake | null = new Intake();
  #whenTaken: () => void = () => undefined;

  /** `beneath` is the network side of a connection over TLS. */
  constructor(source: Socket, beneath: TlsMeter | null) {
    super(source);
    this.#beneath = beneath;
    source.once('end', () => {
      if (this.#intake === null) this.destroy();
    });
  }

  /** The next webhook begins. */
  begin(): void {
    this.#intake = new Intake();
    this.#beneath?.begin();
  }

  /** The answer that counts has begun. */
  answered(): void {
    this.#intake?.answered();
  }

  /**
   * The exchange is over. `then` is called when this connection can carry another exchange, at once or in a moment: over
   * TLS, only the next turn of the event loop shows that the last bytes were taken. A receiver that has answered and reads
   * no more loses the connection.
   */
  rest(then: () => void): void {
    this.#intake = null;
    if (this.readableLength > 0) this.destroy();
    if (this.destroyed) return;
    if (this.writableLength === 0) return then();
    const late = new Deadline(LATE_WRITE_MS);
    late.onPass(() => this.destroy());
    this.#whenTaken = () => {
      late.clear();
      then();
    };
  }

  protected override taken(): void {
    if (this.writableLength > 0 || this.destroyed) return;
    this.#whenTaken();
    this.#whenTaken = () => undefined;
  }

  protected override receive(read: Buffer): boolean {
    // Between two webhooks no byte was asked for.
    if (this.#intake === null) this.destroy();
    if (this.#intake === null || this.destroyed) return false;
    const admitted = this.#intake.admit(read);
    if (admitted === read.length) return this.push(read);
    if (admitted > 0) this.push(read.subarray(0, admitted));
    // The parser reads the admitted bytes before the stream is destroyed.
    queueMicrotask(() => this.destroy(new AnswerFlood()));
    return false;
  }
}
