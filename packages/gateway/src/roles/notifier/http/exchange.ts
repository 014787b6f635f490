// One webhook and its answer: turns what the HTTP client reports into exactly one outcome.
import { isSuccess } from '@ducat/core/webhook/schedule';
import { type Dispatcher, errors } from 'undici';
import type { PostAnswer, PostOutcome } from '../port.ts';
import { AnswerBody, MAX_INFORMATIONAL } from './answer-intake.ts';
import { AnswerFlood } from './answer-stream.ts';
import { OpenFailure } from './open-connection.ts';
import { TlsFlood } from './tls-meter.ts';

type Controller = Dispatcher.DispatchController;

export class Exchange implements Dispatcher.DispatchHandler {
  readonly #onAnswered: () => void;
  readonly #onEnd: (answer: PostAnswer) => void;
  readonly #body = new AnswerBody();
  #informational = 0;
  #httpStatus: number | null = null;
  #ended = false;

  /** `onAnswered` is called when the answer that counts begins, `onEnd` once. */
  constructor(onAnswered: () => void, onEnd: (answer: PostAnswer) => void) {
    this.#onAnswered = onAnswered;
    this.#onEnd = onEnd;
  }

  end(outcome: PostOutcome): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#onEnd({ outcome, httpStatus: this.#httpStatus });
  }

  // By this method undici recognises which handler interface this is.
  onRequestStart(controller: Controller): void {
    if (this.#ended) controller.abort(new Error('it is over'));
  }

  onResponseStart(_controller: Controller, statusCode: number): void {
    if (statusCode < 200) {
      this.#informational += 1;
      if (this.#informational > MAX_INFORMATIONAL) this.end('bad-http');
      return;
    }
    this.#onAnswered();
    this.#httpStatus = statusCode;
    if (statusCode !== 200) this.end('http-status');
  }

  /** Takes the body as it came: compressed bodies are never decompressed, so a small one cannot grow. */
  onResponseData(_controller: Controller, piece: Buffer): void {
    if (!this.#body.add(piece)) this.end('too-large');
  }

  onResponseEnd(): void {
    this.end(isSuccess(200, this.#body.text()) ? 'delivered' : 'wrong-answer');
  }

  onResponseError(_controller: Controller, error: Error): void {
    this.end(this.#failure(error));
  }

  #failure(error: Error): PostOutcome {
    if (error instanceof OpenFailure) return error.outcome;
    if (error instanceof TlsFlood) return 'tls-failed';
    if (error instanceof AnswerFlood) return this.#httpStatus === null ? 'bad-http' : 'too-large';
    return BAD_HTTP.some((kind) => error instanceof kind) ? 'bad-http' : 'connection-failed';
  }
}

const BAD_HTTP = [
  errors.HTTPParserError,
  errors.HeadersOverflowError,
  errors.ResponseContentLengthMismatchError,
];
