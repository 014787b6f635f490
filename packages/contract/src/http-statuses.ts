// Every HTTP status other than 200 that the API answers with, and its meaning.

export interface HttpStatus {
  readonly status: number;
  readonly meaning: string;
  /** Whether a JSON envelope stands in the body. */
  readonly hasEnvelope: boolean;
}

/** All of them are about transport. The request had no effect; only after a 503 this is not known. */
export const httpStatuses: readonly HttpStatus[] = [
  { status: 400, meaning: 'What came is not HTTP.', hasEnvelope: true },
  { status: 404, meaning: 'There is no operation at this path.', hasEnvelope: true },
  { status: 405, meaning: 'Every operation is a POST.', hasEnvelope: true },
  { status: 408, meaning: 'The request took too long to arrive.', hasEnvelope: true },
  { status: 413, meaning: 'The body is over 64 KiB.', hasEnvelope: true },
  { status: 415, meaning: 'content-type is not application/json.', hasEnvelope: true },
  {
    status: 417,
    meaning: 'The header Expect asks for something else than 100-continue.',
    hasEnvelope: false,
  },
  { status: 431, meaning: 'The headers are over 16 KiB.', hasEnvelope: true },
  {
    status: 503,
    meaning:
      'The gateway is stopping, or its database is away or does not answer. Signed where the key was proven. Try again with the same content.',
    hasEnvelope: true,
  },
];
