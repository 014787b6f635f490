// The pages for merchants say what the contract says.
import { createHmac } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codes } from '@ducat/contract/codes';
import { chainDefinitions } from '@ducat/core/chain/definitions/index';
import { endpoints } from '@ducat/contract/endpoints/registry';
import { events } from '@ducat/contract/events/registry';
import { httpStatuses } from '@ducat/contract/http-statuses';
import { headerNames } from '@ducat/contract/signature';
import { signatureVectors } from '@ducat/contract/signature-vectors';
import { webhookDelivery } from '@ducat/contract/webhook-delivery';
import { describe, expect, it } from 'vitest';
import { commands } from './commands/all.ts';
import { appCommand } from './commands/apps/app.ts';
import { depositsCommand } from './commands/books/deposits.ts';
import { ordersCommand } from './commands/books/orders.ts';
import { qrCommand } from './commands/books/qr.ts';
import { merchantCommand } from './commands/merchant.ts';
import { payoutsCommand } from './commands/payouts/payouts.ts';
import { peopleCommand } from './commands/people.ts';
import { orderCommand } from './commands/shop/order.ts';
import { webhooksCommand } from './commands/shop/webhooks.ts';
import { workspace } from './testing/demo-process.ts';

const text = (path: string) => readFileSync(join(workspace, 'docs', path), 'utf8');
const page = (name: string) => text(`integrate/${name}`);

describe('docs/integrate', () => {
  it('errors.md explains every code once', () => {
    const explained = [...page('errors.md').matchAll(/^\| (\d+) \|.*\|.*\|$/gm)].map(([, code]) =>
      Number(code),
    );
    const ours = explained.filter((code) => code === 0 || code >= 1000);
    expect(ours).toEqual(codes.map(({ code }) => code));
  });

  it('errors.md names every HTTP status that the API answers with', () => {
    const [, transport = ''] = page('errors.md').split('\n## Transport\n');
    const named = [...transport.matchAll(/^\| (\d{3}) \|/gm)].map(([, status]) => Number(status));
    expect(named).toEqual(httpStatuses.map(({ status }) => status));
  });

  it('webhooks.md distinguishes events by what is signed', () => {
    const [, once = ''] = page('webhooks.md').split('\n## Act once\n');
    expect(once).toMatch(
      /`trade_no` \+ `status` \+ `amount_collected`[^]*`X-Event-Id` is outside\s+the signature/,
    );
  });

  it.each([
    ['payment', events.PAYMENT],
    ['payout', events.TRANSFER],
  ])('webhooks.md names every field of a %s', (what, { body }) => {
    const [, section = ''] = page('webhooks.md').split(`## Body of a ${what}\n`);
    const [table = ''] = section.split('\n## ');
    const named = [...table.matchAll(/^\| `([a-z_]+)` \| (?:string|integer) \|/gm)].map(([, name]) => name);
    expect(named).toHaveLength(new Set(named).size);
    expect(new Set(named)).toEqual(new Set(Object.keys(body.properties)));
  });

  it('static-qr.md names every field of a payment to a QR code', () => {
    const named = [...page('static-qr.md').matchAll(/^\| `([a-z_]+)` \| (?:string|integer) \|/gm)].map(
      ([, name]) => name,
    );
    expect(named).toEqual(Object.keys(events.QR_PAYMENT.body.properties));
  });

  it('webhooks.md has the intervals of the retry schedule', () => {
    const [, row = ''] = /^\| wait \|(.*)\|$/m.exec(page('webhooks.md')) ?? [];
    const unit = { s: 1, m: 60, h: 3_600 };
    const seconds = row.split('|').map((cell) => {
      const [count = '', name = 's'] = cell.trim().split(' ');
      return Number(count) * unit[name as keyof typeof unit];
    });
    expect(seconds).toEqual([...webhookDelivery.retrySeconds]);
  });

  it('signature.md names every header and a vector that fits', () => {
    const signature = page('signature.md');
    for (const name of Object.values(headerNames)) expect(signature).toContain(`\`${name}\``);
    const cell = (name: string) =>
      new RegExp(`^\\| ${name} \\| \`(.*)\` \\|$`, 'm').exec(signature)?.[1] ?? '';
    const [appKey, timestamp, body] = [cell('AppKey'), cell('timestamp'), cell('body')];
    const signed = createHmac('sha256', appKey)
      .update(body + timestamp + appKey)
      .digest('hex');
    expect(signed).toBe(cell('signature'));
    expect(signatureVectors.map(({ signature }) => signature)).toContain(signed);
  });
});

describe('docs/dashboard.md', () => {
  it('names a place for every command that is about a merchant', () => {
    const commands = [
      merchantCommand(),
      peopleCommand(),
      appCommand(),
      orderCommand(),
      ordersCommand(),
      depositsCommand(),
      qrCommand(),
      payoutsCommand(),
      webhooksCommand(),
    ];
    const rows = [...text('dashboard.md').matchAll(/^\| (`ducat .+?) \| .+ \|$/gm)].map(
      ([, cell = '']) => cell,
    );
    const named = rows.flatMap((cell) => {
      const [first = '', ...others] = [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
      const [group = '', name = ''] = first.replace('ducat ', '').split(' ');
      return [name, ...others].map((each) => `${group} ${each}`);
    });
    const all = commands.flatMap((group) => group.commands.map((each) => `${group.name()} ${each.name()}`));
    expect(named.toSorted()).toEqual(all.toSorted());
  });
});

describe('README.md', () => {
  it('lists the operations of the API', () => {
    const readme = readFileSync(join(workspace, 'README.md'), 'utf8');
    const [, row = ''] = /^\| Operations of the API \|(.*)\|$/m.exec(readme) ?? [];
    const listed = [...row.matchAll(/`([^`]+)`/g)].map(([, name]) => `/api/${name}`);
    const paths: readonly string[] = Object.values(endpoints).map(({ path }) => path);
    expect(listed.toSorted()).toEqual(paths.toSorted());
  });
});

describe('commands in documents', () => {
  it('are those of the program, each with options that it takes', async () => {
    const folders = ['docs', 'docs/integrate', 'docs/operate', 'docs/recipes'];
    const pages = folders.flatMap((folder) =>
      readdirSync(join(workspace, folder)).flatMap((name) =>
        name.endsWith('.md') ? [`${folder}/${name}`] : [],
      ),
    );
    const lines = ['README.md', 'deploy/README.md', ...pages].flatMap((path) =>
      readFileSync(join(workspace, path), 'utf8')
        .replaceAll(/\\\n\s*/g, '')
        .split('\n')
        .flatMap((line) => [...line.matchAll(/(?:^|npx |`)ducat ([a-z][^`|#]*)/g)])
        .map(([, asked = '']) => ({ path, words: asked.trim().split(/\s+/) })),
    );
    expect(lines.length).toBeGreaterThan(100);
    const wrong: string[] = [];
    for (const { path, words } of lines) {
      const [name = '', sub = ''] = words;
      const command = await commands.get(name)?.();
      const inner = command?.commands.find((each) => each.name() === sub);
      const asked = inner ?? command;
      const options = words
        .filter((word) => /^--[a-z]/.test(word))
        .map((word) => word.replace(/[^a-z-].*$/, ''));
      const known = new Set(['--help', ...(asked?.options ?? []).map(({ long }) => long)]);
      const isKnown =
        command !== undefined &&
        (inner !== undefined || command.commands.length === 0 || !/^[a-z]/.test(sub));
      if (!isKnown || options.some((option) => !known.has(option)))
        wrong.push(`${path}: ducat ${words.join(' ')}`);
    }
    expect(wrong).toEqual([]);
  });
});

describe('docs/recipes', () => {
  it('name files and folders that are there, apart from what is to be made', () => {
    const recipes = readdirSync(join(workspace, 'docs/recipes')).map((name) => text(`recipes/${name}`));
    const named = recipes.flatMap((recipe) => [
      ...recipe.matchAll(/`((?:packages|apps|docs|sim)\/[^\s`<>*…]+)`/g),
    ]);
    const paths = named.map(([, path = '']) => path).filter((path) => !path.includes('NNNN'));
    expect(paths.length).toBeGreaterThan(30);
    expect(paths.filter((path) => !existsSync(join(workspace, path)))).toEqual([]);
  });

  it('add-an-endpoint.md names every file that has a line for each endpoint', () => {
    const recipe = text('recipes/add-an-endpoint.md');
    const sources = ['packages', 'apps'].flatMap((folder) =>
      readdirSync(join(workspace, folder)).flatMap((room) => sourcesIn(`${folder}/${room}/src`)),
    );
    // [N] keeps this file out.
    const keyed = sources.filter((path) =>
      /Record<Endpoint[N]ame|\[\w+ in Endpoint[N]ame\]/.test(readFileSync(join(workspace, path), 'utf8')),
    );
    expect(keyed.length).toBeGreaterThan(4);
    expect(keyed.filter((path) => !recipe.includes(`\`${path}\``))).toEqual([]);
  });
});

function sourcesIn(folder: string): readonly string[] {
  if (!existsSync(join(workspace, folder))) return [];
  return readdirSync(join(workspace, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => `${folder}/${path}`);
}

describe('docs/operate', () => {
  it('configuration.md and errors.md have the limits of connections that hold where none are set', () => {
    const example = readFileSync(join(workspace, 'packages/gateway/ducat.example.toml'), 'utf8');
    const [all = '', each = ''] = ['max_connections', 'max_connections_per_address'].map(
      (name) => new RegExp(`^${name} = (\\d+)$`, 'm').exec(example)?.[1],
    );
    const shown = Number(all).toLocaleString('en');
    expect(text('operate/configuration.md')).toContain(`\`api.max_connections\` (${shown})`);
    expect(text('operate/configuration.md')).toContain(`\`api.max_connections_per_address\` (${each})`);
    expect(page('errors.md')).toContain(`may hold ${each} connections at once`);
  });

  it('currencies.md says of each currency that is off why', () => {
    const rows = [...text('operate/currencies.md').matchAll(/^\| (\d{4}) \| `(.+)` \| (.+) \|$/gm)];
    const off = chainDefinitions.flatMap(({ name, currencies }) =>
      currencies.flatMap(({ currencyId, symbol, enabled, offReason }) =>
        enabled ? [] : [[`${currencyId}`, `${symbol}@${name}`, offReason]],
      ),
    );
    expect(rows.map(([, ...cells]) => cells)).toEqual(off);
  });
});
