// How a mail writes a time.

/** To the minute, in UTC: a mail does not know where its reader is. */
export function timeText(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
