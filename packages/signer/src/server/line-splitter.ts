// Cuts a byte stream into lines and never holds more than one line's limit of unfinished bytes.

export interface LineSplitter {
  /** The lines that end in this chunk, without their line breaks, then 'too-long' if one outgrew the limit. */
  push(chunk: Uint8Array): Generator<Uint8Array | 'too-long', void, undefined>;
}

/** After 'too-long' the splitter must be thrown away: it cannot know where the next line starts. */
export function createLineSplitter(maxBytes: number): LineSplitter {
  let parts: Uint8Array[] = [];
  let held = 0;
  return {
    *push(chunk) {
      let rest = chunk;
      for (let end = rest.indexOf(0x0a); end !== -1; end = rest.indexOf(0x0a)) {
        if (held + end > maxBytes) return yield 'too-long';
        const line = Buffer.concat([...parts, rest.subarray(0, end)]);
        parts = [];
        held = 0;
        rest = rest.subarray(end + 1);
        yield line;
      }
      held += rest.length;
      if (held > maxBytes) return yield 'too-long';
      if (rest.length > 0) parts.push(rest);
    },
  };
}
