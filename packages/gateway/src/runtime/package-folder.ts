// Where this package lies, for the files that it reads: a bundle of its modules lies in another folder than they do.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const manifest = createRequire(import.meta.url).resolve('@ducat/gateway/package.json');

/** With a slash at its end. */
export const packageFolder = new URL('.', pathToFileURL(manifest));
