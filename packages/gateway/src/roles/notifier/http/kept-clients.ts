// The connections that wait for the next webhook, the newest of a receiver first.
import type { ReceiverClient } from './receiver-client.ts';

/** The most free connections of one poster, over all its receivers. */
export const MAX_FREE = 256;
/** The most free connections of one receiver. */
const MAX_FREE_EACH = 16;

type Kept = Pick<ReceiverClient, 'key' | 'isGone' | 'close'>;

export class KeptClients<Client extends Kept> {
  /** All free clients, the longest free first. */
  readonly #free = new Set<Client>();
  readonly #byKey = new Map<string, Client[]>();

  /** Takes out the client of this key that came free last; null where there is none. */
  take(key: string): Client | null {
    const kept = this.#byKey.get(key);
    const client = kept?.findLast(({ isGone }) => !isGone);
    if (client === undefined) return null;
    this.remove(client);
    return client;
  }

  add(client: Client): void {
    const kept = this.#byKey.get(client.key) ?? [];
    if (kept.length >= MAX_FREE_EACH) return client.close();
    kept.push(client);
    this.#byKey.set(client.key, kept);
    this.#free.add(client);
    const [oldest] = this.#free;
    if (this.#free.size <= MAX_FREE || oldest === undefined) return;
    this.remove(oldest);
    oldest.close();
  }

  remove(client: Client): void {
    if (!this.#free.delete(client)) return;
    const others = this.#byKey.get(client.key)?.filter((other) => other !== client) ?? [];
    if (others.length === 0) this.#byKey.delete(client.key);
    else this.#byKey.set(client.key, others);
  }

  closeAll(): void {
    for (const client of this.#free) client.close();
    this.#free.clear();
    this.#byKey.clear();
  }
}
