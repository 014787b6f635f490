// A real Chromium from npm, one for the whole process: no system package and no install script is needed.
import { setImmediate } from 'node:timers/promises';
import { type Browser, chromium } from 'playwright-core';

let opened: Promise<Browser> | null = null;

/** The browser that all test files of this process share; ends with the process. */
export function openBrowser(): Promise<Browser> {
  opened ??= launch();
  return opened;
}

/** The package's own arguments are not used: they run everything in one process and turn web security off. */
const ARGUMENTS = ['--no-sandbox', '--disable-dev-shm-usage', '--no-zygote', '--disable-gpu'];

async function launch(): Promise<Browser> {
  // Under this variable the package unpacks the system libraries that a bare machine lacks.
  process.env['AWS_EXECUTION_ENV'] ??= 'AWS_Lambda_nodejs20.x';
  const { default: packed } = await import('@sparticuz/chromium');
  await setImmediate();
  return chromium.launch({ executablePath: await packed.executablePath(), args: ARGUMENTS, headless: true });
}
