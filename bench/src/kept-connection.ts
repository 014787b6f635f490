// One HTTP connection, kept alive for one request after the other, as cheap as a client in Node can be.
import { connect, type Socket } from 'node:net';

export interface HttpAnswer {
  readonly status: number;
  /** Status line and headers exactly as they came, without any change of case. */
  readonly head: string;
  readonly body: Buffer;
}

const HEAD_END = Buffer.from('\r\n\r\n');

/** Reads only answers like those of the gateway and of the benches' receiver: with a status line and a content-length. */
export class KeptConnection {
  readonly #socket: Socket;
  #buffered: Buffer = Buffer.alloc(0);
  #waiting: { resolve: (answer: HttpAnswer) => void; reject: (error: Error) => void } | null = null;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    socket.on('error', (error) => this.#waiting?.reject(error));
    socket.on('close', () => this.#waiting?.reject(new Error('the server closed the connection')));
  }

  static open(port: number): Promise<KeptConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve(new KeptConnection(socket));
      });
    });
  }

  /** Sends the text of a whole request. Only one request may be under way. */
  send(request: string): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      if (!this.isOpen) return reject(new Error('the server has closed the connection'));
      this.#waiting = { resolve, reject };
      this.#socket.write(request);
      return undefined;
    });
  }

  /** False once the server has closed the connection, as servers do with idle ones. */
  get isOpen(): boolean {
    return this.#socket.writable;
  }

  close(): void {
    this.#waiting = null;
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    this.#buffered = this.#buffered.length === 0 ? chunk : Buffer.concat([this.#buffered, chunk]);
    const headEnd = this.#buffered.indexOf(HEAD_END);
    if (headEnd === -1) return;
    const head = this.#buffered.toString('latin1', 0, headEnd);
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? Number.NaN);
    const start = headEnd + HEAD_END.length;
    if (this.#buffered.length < start + length) return;
    const body = this.#buffered.subarray(start, start + length);
    this.#buffered = this.#buffered.subarray(start + length);
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.resolve({ status: Number(head.slice(9, 12)), head, body });
  }
}

/** The text of a POST of JSON. */
export function postText(path: string, headers: Readonly<Record<string, string>>, body: string): string {
  let lines = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n`;
  for (const [name, value] of Object.entries(headers)) lines += `${name}: ${value}\r\n`;
  return `${lines}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
