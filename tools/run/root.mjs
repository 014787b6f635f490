// The root folder of the workspace, whatever folder a command was started in.
import { fileURLToPath } from 'node:url';

/** The folder of the workspace's package.json, without a slash at the end. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');
