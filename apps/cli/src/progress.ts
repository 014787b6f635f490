// One line of progress on a terminal, which is overwritten in place. Shows nothing where the stream is no terminal.

export interface Progress {
  show(text: string): void;
  /** Erases the line. */
  end(): void;
}

export function showProgress(stream: NodeJS.WriteStream): Progress {
  const isTerminal = stream.isTTY === true;
  const write = (text: string) => {
    if (isTerminal) stream.write(`\r\u001b[K${text}`);
  };
  return { show: write, end: () => write('') };
}
