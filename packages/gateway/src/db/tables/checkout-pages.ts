// How the payment pages of an app look, and who may frame them.
import type { Reader, Tx } from '../postgres/tx.ts';

export interface CheckoutPage {
  /** "#rrggbb" in lower case; null for Ducat's own. */
  readonly accent: string | null;
  /** An e-mail or web address. */
  readonly contact: string | null;
  readonly frameOrigins: readonly string[];
}

/** What is left out stays as it is. */
export type PageChange = { readonly [Key in keyof CheckoutPage]?: CheckoutPage[Key] | undefined };

export async function readCheckoutPage(reader: Reader, appId: string): Promise<CheckoutPage> {
  const [row] = await reader.read<CheckoutPage>(
    'SELECT accent, contact, frame_origins AS "frameOrigins" FROM checkout_pages WHERE app_id = $1',
    [appId],
  );
  return row ?? { accent: null, contact: null, frameOrigins: [] };
}

export async function writeCheckoutPage(tx: Tx, appId: string, page: CheckoutPage): Promise<void> {
  await tx.write(
    `INSERT INTO checkout_pages (app_id, accent, contact, frame_origins) VALUES ($1, $2, $3, $4::text[])
     ON CONFLICT (app_id) DO UPDATE SET accent = excluded.accent, contact = excluded.contact,
       frame_origins = excluded.frame_origins`,
    [appId, page.accent, page.contact, page.frameOrigins],
  );
}
