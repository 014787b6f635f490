// A connection whose incoming bytes are counted before they are passed on to the code that processes them.
import { Duplex } from 'node:stream';
import type { Socket } from 'node:net';

export abstract class MeteredStream extends Duplex {
  protected readonly source: Socket;
  #ended = false;

  /** The source is open, and from now on it belongs to this stream. */
  constructor(source: Socket) {
    super();
    this.source = source;
    source.setNoDelay();
    source.on('data', (read: Buffer) => {
      if (!this.receive(read)) source.pause();
    });
    source.once('end', () => {
      this.#ended = true;
      this.push(null);
      source.destroy();
    });
    source.on('error', (error) => this.destroy(error));
    source.once('close', () => {
      if (!this.#ended) this.destroy();
    });
    // Each error ends the exchange. The code that handles the error has listeners of its own.
    this.on('error', () => undefined);
  }

  /** Gets all incoming bytes and passes on the permitted ones with `push`. False: the source pauses until more is read. */
  protected abstract receive(read: Buffer): boolean;

  /** Called when the system has taken bytes; `writableLength` is how many it has not taken yet. */
  protected taken(): void {
    // Most streams need not know.
  }

  override _read(): void {
    this.source.resume();
  }

  override _write(bytes: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#pass(bytes, done);
  }

  override _writev(parts: readonly { readonly chunk: Buffer }[], done: (error?: Error | null) => void): void {
    this.#pass(Buffer.concat(parts.map(({ chunk }) => chunk)), done);
  }

  #pass(bytes: Buffer, done: (error?: Error | null) => void): void {
    this.source.write(bytes, (error) => {
      done(error);
      this.taken();
    });
  }

  /**
   * Ends at once. A graceful end waits for the network, and a TLS key update by the receiver in the meantime would end the
   * process.
   */
  override _final(done: (error?: Error | null) => void): void {
    this.source.destroy();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.source.destroy();
    done(error);
  }
}
