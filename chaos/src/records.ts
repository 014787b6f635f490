// Records of a run's faults: how often each was done, what it met, and how long it took until everything went on.

/** How often something was timed, and how long it took. */
export interface Timing {
  times: number;
  totalMs: number;
  longestMs: number;
}

/** What became of all faults of one name. */
export interface FaultRecord extends Timing {
  /** Counts what the faults met, such as connections reset; null where nothing is counted. */
  hits: number | null;
  /** The longest time in which no order was acknowledged. */
  longestPauseMs: number;
}

/** A fault under way. Its hits may be reported later than its end. */
export interface OpenFault {
  readonly hit: (times: number) => void;
  /** Called once everything goes on again. */
  readonly end: (name: string, tookMs: number, pauseMs: number) => void;
}

export class Records {
  readonly faults = new Map<string, FaultRecord>();
  readonly timings = new Map<string, Timing>();
  readonly notes = new Map<string, number>();

  readonly note = (what: string, times = 1): void => {
    this.notes.set(what, (this.notes.get(what) ?? 0) + times);
  };

  readonly took = (what: string, ms: number): void => {
    const timing = this.timings.get(what) ?? { times: 0, totalMs: 0, longestMs: 0 };
    this.timings.set(what, timing);
    add(timing, ms);
  };

  begin(): OpenFault {
    let early: number | null = null;
    let record: FaultRecord | null = null;
    return {
      hit: (times) => {
        if (record === null) early = (early ?? 0) + times;
        else record.hits = (record.hits ?? 0) + times;
      },
      end: (name, tookMs, pauseMs) => {
        const fresh = { times: 0, totalMs: 0, longestMs: 0, longestPauseMs: 0, hits: null };
        record = this.faults.get(name) ?? fresh;
        this.faults.set(name, record);
        add(record, tookMs);
        record.longestPauseMs = Math.max(record.longestPauseMs, pauseMs);
        if (early !== null) record.hits = (record.hits ?? 0) + early;
      },
    };
  }
}

function add(timing: Timing, ms: number): void {
  timing.times += 1;
  timing.totalMs += ms;
  timing.longestMs = Math.max(timing.longestMs, ms);
}
