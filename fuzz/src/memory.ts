// Watches the memory of the gateway's process through its own metrics.

/** One sample, in bytes. */
export interface MemoryLook {
  readonly heap: number;
  readonly resident: number;
}

/** The lowest samples of two parts of the run. Memory above them only waited for the garbage collector. */
export interface MemoryGrowth {
  readonly early: MemoryLook;
  readonly late: MemoryLook;
  /** Null where the run was too short to decide. */
  readonly hasGrown: boolean | null;
}

/** Leaves room for caches of a fixed size that still fill in the second half. A leak of 200 bytes a request exceeds it. */
const ALLOWED_GROWTH = 1.1;
const ALLOWED_HEAP = 4 * 1024 * 1024;
/** The allocator returns memory late that buffers and native code no longer use. */
const ALLOWED_RESIDENT = 32 * 1024 * 1024;
/** With fewer samples the caches are still filling. */
const ENOUGH_LOOKS = 80;

const HEAP = /^ducat_nodejs_heap_size_used_bytes(?:\{[^}]*\})? (\S+)$/m;
const RESIDENT = /^ducat_process_resident_memory_bytes(?:\{[^}]*\})? (\S+)$/m;

/** Samples the memory from the metrics page. Throws where the page does not have it. */
export async function lookAtMemory(metricsUrl: string): Promise<MemoryLook> {
  const page = await (await fetch(metricsUrl)).text();
  const [heap, resident] = [HEAP, RESIDENT].map((line) => Number(line.exec(page)?.[1] ?? Number.NaN));
  if (heap === undefined || resident === undefined || Number.isNaN(heap + resident)) {
    throw new Error('the metrics page does not tell the memory');
  }
  return { heap, resident };
}

/** Compares the second quarter of the samples with the last one. The first quarter warms up. */
export function growthOf(looks: readonly MemoryLook[]): MemoryGrowth {
  const quarter = Math.max(1, Math.floor(looks.length / 4));
  const early = leastOf(looks.slice(quarter, 2 * quarter));
  const late = leastOf(looks.slice(-quarter));
  const hasGrown =
    late.heap > early.heap * ALLOWED_GROWTH + ALLOWED_HEAP ||
    late.resident > early.resident * ALLOWED_GROWTH + ALLOWED_RESIDENT;
  return { early, late, hasGrown: looks.length < ENOUGH_LOOKS ? null : hasGrown };
}

function leastOf(looks: readonly MemoryLook[]): MemoryLook {
  return {
    heap: Math.min(...looks.map(({ heap }) => heap)),
    resident: Math.min(...looks.map(({ resident }) => resident)),
  };
}
