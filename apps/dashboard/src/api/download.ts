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
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = 'orders.csv';
  link.click();
  URL.revokeObjectURL(address);
}
