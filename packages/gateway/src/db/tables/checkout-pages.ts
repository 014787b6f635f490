// How the payment pages of an app look, and who may frame them.
import type { Reader, Tx } from '../postgres/tx.ts';

export interface CheckoutPage {
  /** "#rrggbb" in lower case; null for Ducat's own. */
  readonly accent: string | null;
  /** An e-mail or web address. */
  readonly contact: string | null;
  readonly frameOrigins: readonly string[];
  /** The bytes of a PNG, JPEG or WebP picture. */
  readonly logo: Uint8Array | null;
  /**
   * Whether the merchant says that the app is for test chains. Its pages may then offer to pay from a faucet. No coin
   * is refused.
   */
  readonly isTest: boolean;
}

/** What is left out stays as it is. */
export type PageChange = { readonly [Key in keyof CheckoutPage]?: CheckoutPage[Key] | undefined };

const NONE: CheckoutPage = { accent: null, contact: null, frameOrigins: [], logo: null, isTest: false };

export async function readCheckoutPage(reader: Reader, appId: string): Promise<CheckoutPage> {
  const [row] = await reader.read<CheckoutPage>(
    `SELECT accent, contact, frame_origins AS "frameOrigins", logo, is_test AS "isTest"
     FROM checkout_pages WHERE app_id = $1`,
    [appId],
  );
  return row ?? NONE;
}

/** The logo with this SHA-256 digest, whichever app it belongs to; null for none. */
export async function readLogo(reader: Reader, digest: string): Promise<Uint8Array | null> {
  const [row] = await reader.read<{ readonly logo: Uint8Array }>(
    'SELECT logo FROM checkout_pages WHERE logo_digest = $1 LIMIT 1',
    [digest],
  );
  return row?.logo ?? null;
}

export async function writeCheckoutPage(tx: Tx, appId: string, page: CheckoutPage): Promise<void> {
  const { accent, contact, frameOrigins, logo, isTest } = page;
  await tx.write(
    `INSERT INTO checkout_pages (app_id, accent, contact, frame_origins, logo, is_test)
     VALUES ($1, $2, $3, $4::text[], $5::bytea, $6)
     ON CONFLICT (app_id) DO UPDATE SET accent = excluded.accent, contact = excluded.contact,
       frame_origins = excluded.frame_origins, logo = excluded.logo, is_test = excluded.is_test`,
    [appId, accent, contact, frameOrigins, logo === null ? null : Buffer.from(logo), isTest],
  );
}
