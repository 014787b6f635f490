// Static QR codes: create.
import { randomUUID } from 'node:crypto';
import type { EndpointTypes } from '../generated/endpoints.ts';
import { idempotencyHeader } from '../generated/idempotency-key.ts';
import type { Call } from '../transport.ts';

type Types = EndpointTypes['create-qr-code'];

/** Options of `create`. */
export interface QrCodeOptions {
  /**
   * 1 to 128 visible ASCII characters, such as your own number of the place where the code hangs. All calls with one
   * key make one code. Without a key, each call of `create` makes a code of its own.
   */
  readonly idempotencyKey?: string | undefined;
}

/** The QR code operations, for QR code apps. */
export class QrCodes {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** Gives out a static payment address. Safe to repeat with the same idempotencyKey and the same content. */
  create(
    request: Types['request'],
    { idempotencyKey = randomUUID() }: QrCodeOptions = {},
  ): Promise<Types['data']> {
    const fits = (code: Types['data']) => Number.isInteger(code.id) && typeof code.address === 'string';
    return this.#call('create-qr-code', request, fits, { [idempotencyHeader]: idempotencyKey });
  }
}
