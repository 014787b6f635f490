// One POST of JSON text over plain HTTP. A start replays hundreds of blocks, and `fetch` takes twice the processor time.
import { Agent, request } from 'node:http';

const agent = new Agent({ keepAlive: true });

/** Posts `body` and returns the text of the answer, whatever its status. Throws where none comes within `timeoutMs`. */
export function postJson(url: string, body: string, timeoutMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const call = request(url, { method: 'POST', agent, headers, signal: AbortSignal.timeout(timeoutMs) });
    call.once('error', reject);
    call.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
      response.once('error', reject);
    });
    call.end(body);
  });
}
