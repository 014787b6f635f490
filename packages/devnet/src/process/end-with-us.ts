// Ends child processes when this process exits without having stopped them.

const endings = new Set<() => void>();

/**
 * Registers a function for the exit of this process, which must be synchronous. Returns the function that removes it
 * again. A kill -9 of this process runs none of them.
 */
export function endWithUs(end: () => void): () => void {
  // One listener for all, because Node warns of a leak when there are more than ten.
  if (endings.size === 0) process.once('exit', endAll);
  endings.add(end);
  return () => {
    endings.delete(end);
    if (endings.size === 0) process.removeListener('exit', endAll);
  };
}

function endAll(): void {
  for (const end of endings) end();
}
