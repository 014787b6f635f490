// Decides which connection gets a place and which one is closed for it: a quiet one of the address that holds the most.

export interface ConnectionLimits {
  readonly maxConnections: number;
  /** Of those, from one network address. */
  readonly maxConnectionsPerAddress: number;
}

export interface ConnectionPlaces<Connection> {
  /** Returns the connection to cut for the newcomer's place: another connection, none (null), or the newcomer itself. */
  readonly take: (newcomer: Connection, address: string) => Connection | null;
  /** A connection is not cut while its answer is being made. */
  readonly setBusy: (connection: Connection) => void;
  readonly setQuiet: (connection: Connection) => void;
  readonly leave: (connection: Connection) => void;
}

/** Sets keep their order, so the first connection has been quiet the longest. */
interface Held<Connection> {
  readonly neverServed: Set<Connection>;
  readonly served: Set<Connection>;
  readonly busy: Set<Connection>;
}

/**
 * An address at its limit gives up one of its own quiet connections: connections without any request go first, the oldest
 * before the younger. Where all places are taken, the address with the most connections gives one up. So a new client gets a
 * place no matter what others hold open, and keeps it long enough to send a request.
 */
export function createConnectionPlaces<Connection>(limits: ConnectionLimits): ConnectionPlaces<Connection> {
  const addresses = new Map<string, Held<Connection>>();
  const addressOf = new Map<Connection, string>();

  const heldBy = (address: string): Held<Connection> => {
    const held = addresses.get(address) ?? { neverServed: new Set(), served: new Set(), busy: new Set() };
    addresses.set(address, held);
    return held;
  };
  const heldWith = (connection: Connection): Held<Connection> | null => {
    const address = addressOf.get(connection);
    return address === undefined ? null : heldBy(address);
  };
  const leave = (connection: Connection): void => {
    const held = heldWith(connection);
    if (held === null) return;
    for (const part of [held.neverServed, held.served, held.busy]) part.delete(connection);
    if (countOf(held) === 0) addresses.delete(addressOf.get(connection) ?? '');
    addressOf.delete(connection);
  };
  return {
    take(newcomer, address) {
      const held = heldBy(address);
      const isFullHere = countOf(held) >= limits.maxConnectionsPerAddress;
      const isFull = isFullHere || addressOf.size >= limits.maxConnections;
      const goes = isFull ? quietOf(isFullHere ? held : largest(addresses.values(), countOf(held))) : null;
      if (isFull && goes === null) {
        if (countOf(held) === 0) addresses.delete(address);
        return newcomer;
      }
      if (goes !== null) leave(goes);
      addressOf.set(newcomer, address);
      heldBy(address).neverServed.add(newcomer);
      return goes;
    },
    setBusy(connection) {
      const held = heldWith(connection);
      held?.neverServed.delete(connection);
      held?.served.delete(connection);
      held?.busy.add(connection);
    },
    setQuiet(connection) {
      const held = heldWith(connection);
      if (held?.busy.delete(connection) === true) held.served.add(connection);
    },
    leave,
  };
}

function countOf<Connection>({ neverServed, served, busy }: Held<Connection>): number {
  return neverServed.size + served.size + busy.size;
}

function quietOf<Connection>(held: Held<Connection> | null): Connection | null {
  for (const part of [held?.neverServed, held?.served]) {
    for (const connection of part ?? []) return connection;
  }
  return null;
}

/**
 * Returns the address with the most connections. It has to hold at least as many as the newcomer's address, and a quiet one.
 */
function largest<Connection>(all: Iterable<Held<Connection>>, own: number): Held<Connection> | null {
  let found: Held<Connection> | null = null;
  for (const held of all) {
    const most = found === null ? own - 1 : countOf(found);
    if (countOf(held) > most && quietOf(held) !== null) found = held;
  }
  return found;
}
