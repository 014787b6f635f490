// Saves what the server streams as a file.
import type { RequestOf } from '@ducat/contract/dashboard/registry';
import { Unreachable } from './refusal.ts';

export async function downloadOrders(filter: RequestOf<'orders.export'>): Promise<void> {
  const response = await fetch('/api/orders.export', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(filter),
  });
  if (!response.ok) throw new Unreachable(`HTTP ${response.status}`);
  saveFile('orders.csv', await response.blob());
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
