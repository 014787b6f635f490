// Workers: processes of their own that answer requests, so that load and floors never share the bench's event loop.
import { fork } from 'node:child_process';
import { endWithUs } from '@ducat/devnet/process/end-with-us';

/** The requests that a worker answers, by name. */
export type Handlers<H> = { readonly [Name in keyof H]: (argument: never) => unknown };

export interface Worker<H extends Handlers<H>> {
  readonly pid: number;
  ask<Name extends keyof H & string>(
    name: Name,
    argument: Parameters<H[Name]>[0],
  ): Promise<Awaited<ReturnType<H[Name]>>>;
  stop(): Promise<void>;
}

interface Question {
  readonly id: number;
  readonly name: string;
  readonly argument: unknown;
}

interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: string;
}

/** Starts `workers/<name>.js` of this package. */
export function startWorker<H extends Handlers<H>>(name: string): Worker<H> {
  const child = fork(new URL(`./workers/${name}.js`, import.meta.url), [], { serialization: 'advanced' });
  const waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();
  let lastId = 0;
  let stopped = false;
  const forget = endWithUs(() => void child.kill('SIGKILL'));
  const gone = new Promise<void>((resolve) => {
    child.once('exit', (code, signal) => {
      forget();
      resolve();
      const why = `the worker ${name} ended (${signal ?? code})`;
      for (const { reject } of waiting.values()) reject(new Error(why));
      if (!stopped) console.error(why);
    });
  });
  child.on('message', ({ id, result, error }: Answer) => {
    const asked = waiting.get(id);
    waiting.delete(id);
    // The result is what the handler of that name returned.
    if (error === undefined) asked?.resolve(result as never);
    else asked?.reject(new Error(`${name}: ${error}`));
  });
  return {
    pid: child.pid ?? 0,
    ask: (what, argument) =>
      new Promise((resolve, reject) => {
        lastId += 1;
        waiting.set(lastId, { resolve, reject });
        child.send({ id: lastId, name: what, argument } satisfies Question);
      }),
    stop: async () => {
      stopped = true;
      child.disconnect();
      await gone;
    },
  };
}

/** The worker's own side: answers until its parent disconnects, and then ends the process. */
export function serveParent<H extends Handlers<H>>(handlers: H): void {
  const answer = async ({ id, name, argument }: Question): Promise<Answer> => {
    try {
      // The parent asks by the names of this very type.
      const handler: (argument: never) => unknown = handlers[name as keyof H];
      return { id, result: await handler(argument as never) };
    } catch (error) {
      return { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    }
  };
  process.on('message', (question: Question) => {
    void answer(question).then((message) => process.send?.(message));
  });
  process.once('disconnect', () => process.exit(0));
}
