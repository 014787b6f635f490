// The gateway of the demo as a process: it loads its modules at once, and begins when its configuration is written.
import process from 'node:process';

const isToBegin = new Promise<boolean>((resolve) => {
  process.once('message', () => resolve(true));
  // The start has ended before the configuration was written.
  process.once('disconnect', () => resolve(false));
  if (!process.connected) resolve(false);
});

// Loading takes seconds, and these are most of what `main` loads.
await Promise.all([import('@ducat/gateway/config/load-config'), import('@ducat/gateway/compose/gateway')]);
if (await isToBegin) {
  process.disconnect();
  await import('@ducat/gateway/main');
}
