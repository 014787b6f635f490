// The files of the repository that are pages of the site, with their places in it. All other files are left out.

export interface Entry {
  /** The Markdown file, or a file of code that is shown as it is, from the root of the repository. */
  readonly source: string;
  readonly path: string;
  readonly shortTitle: string;
}

export interface Group {
  readonly title: string;
  readonly entries: readonly Entry[];
}

const integrate = (name: string, shortTitle: string): Entry => ({
  source: `docs/integrate/${name}.md`,
  path: `integrate/${name}`,
  shortTitle,
});
const operate = (name: string, shortTitle: string): Entry => ({
  source: `docs/operate/${name}.md`,
  path: `operate/${name}`,
  shortTitle,
});

/** Groups before the API reference. */
export const guides: readonly Group[] = [
  {
    title: 'Start',
    entries: [
      { source: 'docs/README.md', path: '', shortTitle: 'Overview' },
      integrate('quick-start', 'Quick start'),
      integrate('newcomer', 'The dashboard alone'),
      integrate('going-live', 'Going live'),
    ],
  },
  {
    title: 'Integrate',
    entries: [
      integrate('checkout', 'Payment page'),
      integrate('signature', 'Signature'),
      integrate('webhooks', 'Webhooks'),
      integrate('errors', 'Errors'),
      integrate('payouts', 'Payouts'),
      integrate('static-qr', 'Static QR codes'),
      { source: 'packages/sdk/README.md', path: 'integrate/sdk', shortTitle: 'Node.js SDK' },
      integrate('curl', 'curl and openssl'),
      integrate('tron', 'Tron'),
      { source: 'docs/integrate/payouts.mjs', path: 'integrate/payouts.mjs', shortTitle: 'payouts.mjs' },
    ],
  },
];

/** Groups after the API reference. */
export const operating: readonly Group[] = [
  {
    title: 'Set up',
    entries: [
      operate('install', 'Install'),
      operate('first-hour', 'The first hour'),
      { source: 'deploy/README.md', path: 'operate/deploy', shortTitle: 'Units and containers' },
      operate('configuration', 'Configuration'),
      {
        source: 'packages/gateway/ducat.example.toml',
        path: 'operate/ducat.example.toml',
        shortTitle: 'ducat.example.toml',
      },
      operate('keys', 'Keys'),
      { source: 'packages/signer/README.md', path: 'operate/signer', shortTitle: 'Signer' },
      operate('currencies', 'Currencies'),
      operate('rates', 'Rates'),
      operate('checkout', 'Payment pages'),
      operate('dashboard', 'Dashboard'),
      operate('high-availability', 'Several machines'),
      { source: 'docs/security.md', path: 'security', shortTitle: 'Security' },
    ],
  },
  {
    title: 'Run',
    entries: [
      operate('observe', 'What to watch'),
      operate('backup', 'Backup'),
      operate('upgrade', 'Upgrade'),
      operate('large-tables', 'Large tables'),
      operate('one-primary', 'What one primary carries'),
      operate('reserves', 'Reserves'),
      operate('collection', 'Collection'),
      operate('payouts', 'Payouts'),
      operate('static-qr', 'Static QR codes'),
    ],
  },
  {
    title: 'When something is wrong',
    entries: [
      operate('halted-chain', 'A halted chain'),
      operate('outgoing', 'Stuck transfers'),
      operate('webhooks', 'Dead webhooks'),
      operate('unassigned', 'Unassigned money'),
      operate('internal-transactions', 'Internal transactions'),
    ],
  },
  {
    title: 'Pictures',
    entries: [
      { source: 'docs/dashboard.md', path: 'dashboard', shortTitle: 'The dashboard' },
      {
        source: 'docs/dashboard-review.md',
        path: 'dashboard-review',
        shortTitle: 'The dashboard beside others',
      },
      { source: 'docs/checkout.md', path: 'checkout', shortTitle: 'The payment page' },
    ],
  },
];

/** Files that pages link to and that are served as they are. */
export const files: readonly string[] = ['docs/integrate/signature-vectors.json'];

/** Folders whose pictures pages show. */
export const pictures: readonly string[] = ['docs/dashboard', 'docs/checkout'];
