// Where this package lies, for the files that it reads: a bundle of its modules lies in another folder than they do.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/** The address of the package's manifest. Paths that are resolved against it begin in the package's folder. */
export const packageFolder: URL = pathToFileURL(
  createRequire(import.meta.url).resolve('@ducat/gateway/package.json'),
);
