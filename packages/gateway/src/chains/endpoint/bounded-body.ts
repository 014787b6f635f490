// Reads an HTTP body up to a limit, counted while it streams, so that a node cannot fill the memory.
import { isAscii } from 'node:buffer';
import { TooMuch } from './too-much.ts';

/** The body as text. Throws TooMuch and aborts the request once more than `maxBytes` have come. */
export async function readBounded(
  response: Response,
  maxBytes: number,
  request: AbortController,
): Promise<string> {
  if (response.body === null) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > maxBytes) {
      request.abort();
      throw new TooMuch(`answered with more than ${maxBytes} bytes`);
    }
    chunks.push(value);
  }
  const body = Buffer.concat(chunks, size);
  // Else a large body would be held a third time while its text is made.
  chunks.length = 0;
  // Answers are ASCII but for error messages, and then this decodes four times as fast.
  return body.toString(isAscii(body) ? 'latin1' : 'utf8');
}
