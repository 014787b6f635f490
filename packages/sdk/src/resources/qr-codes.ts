// Static QR codes: create.
import { randomUUID } from 'node:crypto';
import type { EndpointTypes } from '../generated/endpoints.ts';
import { idempotencyHeader } from '../generated/idempotency-key.ts';
import type { Call } from '../transport.ts';

type Types = EndpointTypes['create-qr-code'];

/** What names a call of `create`. */
export interface QrCodeOptions {
  /**
   * 1 to 128 visible ASCII characters, such as your own number of the place where the code hangs. Under one key a code is
   * made once, however often it is asked for. Without it, one call of `create` makes one code, and another call another.
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
