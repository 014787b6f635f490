// The HTTP headers of a page. A browser loads from us alone, runs our scripts alone, and sends no referrer.

/** The headers of an order's page. `frameOrigins` are the merchant's own sites; `faucet` is "" outside of sandboxes. */
export function pageHeaders(
  nonce: string,
  frameOrigins: readonly string[],
  faucet = '',
): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self'${faucet === '' ? '' : ` ${new URL(faucet).origin}`}`,
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${frameOrigins.length === 0 ? "'none'" : frameOrigins.join(' ')}`,
    "require-trusted-types-for 'script'",
  ];
  return {
    'content-security-policy': policy.join('; '),
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), clipboard-write=(self)',
    'x-robots-tag': 'noindex, nofollow',
    'cache-control': 'no-store',
  };
}
