// Saves what the server streams as a file.
import type { RequestOf } from '@ducat/contract/dashboard/registry';
import { Unreachable } from './refusal.ts';

type Exports = 'orders.export' | 'balances.export-statement';

export async function download<Name extends Exports>(
  name: Name,
  request: RequestOf<Name>,
  file: string,
): Promise<void> {
  const response = await fetch(`/api/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
  });
  if (!response.ok) throw new Unreachable(`HTTP ${response.status}`);
  saveFile(file, await response.blob());
}

/** Keeps bytes under a name where the browser keeps files. */
export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
