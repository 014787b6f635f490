// A promise that is settled from outside.

export class Deferred<T> {
  readonly promise: Promise<T>;
  resolve!: (value: T) => void;
  reject!: (reason: unknown) => void;

  constructor() {
    this.promise = new Promise<T>((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    // A caller that waits gets the rejection. A rejection without a caller is no error here.
    this.promise.catch(() => undefined);
  }
}

/** How a promise ended, as a value. */
export type Ended<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: unknown };

/** Gives the end of a promise as a value. Never rejects. */
export function endOf<T>(promise: Promise<T>): Promise<Ended<T>> {
  return promise.then(
    (value) => ({ ok: true, value }),
    (error: unknown) => ({ ok: false, error }),
  );
}
