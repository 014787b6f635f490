// For tests: a client that sends any bytes and returns the answers, and a folder with a socket path in it.
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';

/** What a peer saw: whole lines, and whether the signer ended the connection. */
export interface Exchange {
  readonly lines: readonly string[];
  readonly closed: boolean;
}

/** Sends the bytes and waits for so many lines or for the end of the connection, whichever is first. */
export function exchange(
  socketPath: string,
  bytes: string | Uint8Array,
  wantedLines: number,
): Promise<Exchange> {
  return new Promise((resolve) => {
    const socket = connect(socketPath);
    let text = '';
    const finish = (closed: boolean) => {
      socket.destroy();
      resolve({ lines: text.split('\n').slice(0, -1), closed });
    };
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => {
      text += String(chunk);
      if (text.split('\n').length - 1 >= wantedLines) finish(false);
    });
    // A reset is one way in which the signer ends a connection. Lines that were read before are kept.
    socket.on('error', () => undefined);
    socket.on('close', () => finish(true));
    socket.write(bytes);
  });
}

/** A private folder that is removed by `remove`, and a path in it (on Windows a pipe name) for a socket. */
export async function scratchPlace(): Promise<{
  folder: string;
  socketPath: string;
  remove: () => Promise<void>;
}> {
  const folder = await mkdtemp(join(tmpdir(), 'ducat-signer-'));
  const pipe = `\\\\.\\pipe\\ducat-signer-${randomBytes(8).toString('hex')}`;
  return {
    folder,
    socketPath: process.platform === 'win32' ? pipe : join(folder, 's.sock'),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
