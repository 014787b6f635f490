// A simulated process: it can be killed, which nothing of it survives, and frozen, which it survives late.

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
  /** Its name with the number of its life, such as `watcher-ETH-1/2`. */
  readonly name: string;
  /** Its name without its numbers: whoever has the same does the same work. */
  readonly work: string;
  alive = true;
  /** Takes no step before this time. */
  frozenUntilMs = 0;
  /** How far its clock is ahead of the true time; below zero when it is behind. */
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
