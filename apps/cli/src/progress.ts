// One line of progress on a terminal, written over itself; nothing where the stream is no terminal.

export interface Progress {
  show(text: string): void;
  /** Takes the line away. */
  end(): void;
}

export function showProgress(stream: NodeJS.WriteStream): Progress {
  const isTerminal = stream.isTTY === true;
  const write = (text: string) => {
    if (isTerminal) stream.write(`\r\u001b[K${text}`);
  };
  return { show: write, end: () => write('') };
}
