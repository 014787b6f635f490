// The one way in which bytes go to a provider and come back.

export interface HttpRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  /** The header Retry-After, null where there is none. */
  readonly retryAfter: string | null;
  /** Ends the exchange where it is not read to its end. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Rejects with any error where the provider cannot be reached. Tests hand in another. */
export type HttpPost = (request: HttpRequest) => Promise<HttpResponse>;

export const httpPost: HttpPost = async ({ url, headers, body, signal }) => {
  const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'error' });
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    body: response.body ?? noBytes(),
  };
};

async function* noBytes(): AsyncIterable<Uint8Array> {}
