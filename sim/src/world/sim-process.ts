// A simulated process. It can be killed, and loses everything; or frozen, and goes on later.

export type ProcessKind =
  | 'watcher'
  | 'maintenance'
  | 'keeper'
  | 'notifier'
  | 'api'
  | 'payer'
  | 'collector'
  | 'signer';

export class SimProcess {
  readonly kind: ProcessKind;
  /** The name with the number of its life, such as `watcher-ETH-1/2`. */
  readonly name: string;
  /** The name without its numbers. Processes with the same one do the same work. */
  readonly work: string;
  alive = true;
  /** Takes no step before this time. */
  frozenUntilMs = 0;
  /** How far its clock is ahead of the true time; negative when it is behind. */
  clockErrorMs = 0;

  constructor(kind: ProcessKind, name: string) {
    this.kind = kind;
    this.name = name;
    this.work = name.replace(/(?:-\d+)?\/\d+$/, '');
  }

  canStep(nowMs: number): boolean {
    return this.alive && this.frozenUntilMs <= nowMs;
  }
}
