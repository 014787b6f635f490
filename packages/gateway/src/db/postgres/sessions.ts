// The server sessions of all connections: which of them show that a host lives, and which are cut together.
import type pg from 'pg';
import type { Opened, PrimaryChoice } from './primary-choice.ts';

export interface Session extends Opened {
  /** The process id of the session on its server. */
  readonly pid: number;
}

export class Sessions {
  readonly #choice: PrimaryChoice;
  readonly #sessions = new Map<pg.ClientBase, { readonly client: pg.Client; readonly session: Session }>();
  /** The connections that show that their host lives. */
  readonly #alive = new Set<pg.ClientBase>();

  constructor(choice: PrimaryChoice) {
    this.#choice = choice;
  }

  /** Accepts the host as the primary, or throws. Then cuts the connections to a former primary. */
  begin(client: pg.Client, session: Session): void {
    this.#choice.accept(session.place, session.standing);
    this.#sessions.set(client, { client, session });
    this.#alive.add(client);
    client.once('end', () => {
      this.silence(client);
      this.#sessions.delete(client);
    });
    for (const one of this.#sessions.values()) {
      if (this.#choice.isPast(one.session)) one.client.connection.stream.destroy();
    }
  }

  /** A connection that is being closed, or got no response, is no sign that its host lives. */
  silence(client: pg.ClientBase): void {
    this.#alive.delete(client);
  }

  /** A new connection to the host failed. `isFull` if the host answered that it has none left. */
  failed(place: number, isFull: boolean): void {
    const isOpen = isFull || [...this.#alive].some((client) => this.of(client)?.place === place);
    this.#choice.turnFrom(place, isOpen);
  }

  of(client: pg.ClientBase): Session | null {
    return this.#sessions.get(client)?.session ?? null;
  }
}
