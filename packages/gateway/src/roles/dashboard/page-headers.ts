// The HTTP headers of the dashboard. A browser loads from the dashboard alone and runs its files alone.

const policy = (connect: string) => [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  `connect-src 'self'${connect}`,
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
];

/** The headers of every answer. `faucetUrl` is "" except in a demo, whose page asks that faucet to pay test orders. */
export function commonHeaders(url: string, faucetUrl: string): Readonly<Record<string, string>> {
  const faucet = faucetUrl === '' ? '' : ` ${new URL(faucetUrl).origin}`;
  return {
    'content-security-policy': policy(faucet).join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy':
      'camera=(), microphone=(), geolocation=(), payment=(), clipboard-write=(self), publickey-credentials-create=(self), publickey-credentials-get=(self)',
    'x-robots-tag': 'noindex, nofollow',
    'cache-control': 'no-store',
    ...(url.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  };
}
