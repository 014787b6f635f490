// The log of the API's calls: what has a line, what is counted, what nobody can push out, and that no call waits for it.
import { startTestApi, signedHeaders, type TestApi } from '@ducat/testkit/api/test-api';
import { createTestWorld } from '@ducat/testkit/api/test-world';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { Outage } from '../../../runtime/outage.ts';
import type { Transact, Tx } from '../../../db/postgres/tx.ts';
import type { AnsweredCall } from './answered-call.ts';
import { type CallLog, createCallLog } from './call-log.ts';

const ORDER = { out_trade_no: 'o-1', currency_id: 1001, token_amount: '5' };

interface Row {
  readonly path: string;
  readonly code: number;
  readonly is_proven: boolean;
  readonly calls: number;
  readonly [column: string]: unknown;
}

describe('calls of the API', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi(inject('postgresAdminUrl'));
  });
  afterAll(() => api?.close());

  const rowsWhere = (condition: string) =>
    api.database.reader.read<Row>(`SELECT * FROM api_calls WHERE ${condition} ORDER BY call_id`, []);
  /** Once they are written, about a second later. */
  const untilWritten = (condition: string, count: number) =>
    vi.waitFor(
      async () => {
        const rows = await rowsWhere(condition);
        expect(rows).toHaveLength(count);
        return rows;
      },
      { timeout: 20_000, interval: 100 },
    );

  it('have a line each, and one that was refused has what it brought', async () => {
    const app = await api.addApp();
    const created = await api
      .call('/api/order/create?a=1', ORDER, app)
      .then(() => api.call('/api/order/create', ORDER, app));
    await api.call('/v1/order/detail', { trade_no: created.data['trade_no'] }, app);
    const wrong = JSON.stringify({ ...ORDER, token_amount: 5 });
    const refused = await api.call('/api/order/create', wrong, app);
    const headers = { ...signedHeaders(wrong, app), 'x-sign': 'ab'.repeat(32) };
    const unproven = await api.send('/api/order/create', wrong, headers);
    // Neither of them is a call of a known app.
    await api.send('/api/order/create', wrong, { ...headers, 'x-appid': 'app_none' });
    await api.app.inject({ method: 'GET', url: '/healthz', headers });
    const rows = await untilWritten(`app_id IN ('${app.appId}', 'app_none')`, 5);
    expect(rows).toMatchObject([
      { path: 'POST /api/order/create', http_status: 404, code: 10002, is_proven: false },
      {
        path: 'POST /api/order/create',
        operation: 'create-order',
        http_status: 200,
        code: 0,
        message: 'success',
        address: '127.0.0.1',
        is_proven: true,
        out_trade_no: 'o-1',
        trade_no: created.data['trade_no'],
        calls: 1,
        sent_body: null,
      },
      { path: 'POST /v1/order/detail', code: 0, out_trade_no: null, trade_no: created.data['trade_no'] },
      {
        code: refused.code,
        message: refused.msg,
        is_proven: true,
        body_bytes: wrong.length,
        sent_body: wrong,
        sent_body_is: 'whole',
        // With it the call could be sent again.
        sent_signature: null,
        signature_fits: true,
      },
      {
        code: 10008,
        message: unproven.msg,
        is_proven: false,
        sent_body: wrong,
        sent_timestamp: headers['x-timestamp'],
        sent_signature: headers['x-sign'],
        signature_fits: false,
      },
    ]);
  });

  it('keep no signature that may fit, whatever else was wrong first', async () => {
    const app = await api.addApp();
    // Of an app whose keys nobody remembers nothing is kept.
    await api.call('/api/currency/token-list', {}, app);
    const wrong = JSON.stringify({ ...ORDER, token_amount: 5 });
    await api.send('/api/order/create', wrong, {
      ...signedHeaders(wrong, app),
      'content-type': 'text/plain',
    });
    const [late] = await untilWritten(`app_id = '${app.appId}' AND http_status = 415`, 1);
    expect(late).toMatchObject({ is_proven: false, signature_fits: true, sent_signature: null });
    // Nobody knows whether it fits a body that was not read.
    const long = JSON.stringify({ ...ORDER, name: 'x'.repeat(70_000) });
    await api.send('/api/order/create', long, signedHeaders(long, app));
    const [unread] = await untilWritten(`app_id = '${app.appId}' AND http_status = 413`, 1);
    expect(unread).toMatchObject({ sent_signature: null, sent_body: '', sent_body_is: 'cut' });
  });

  it('keep nothing secret, wherever a shop put it', async () => {
    const app = await api.addApp();
    const { appKey } = app;
    const body = JSON.stringify({ app_key: appKey, out_trade_no: appKey, otp_code: '492039', [appKey]: 1 });
    const long = `${' '.repeat(4_090)}${appKey}`;
    for (const sent of [body, `${body}1763626800${appKey}`, long])
      for (const signed of [appKey, signedHeaders(sent, app)['x-sign'], 'nothing'])
        for (const path of ['/api/payout/create', '/api/order/create', `/api/${appKey}`])
          await api.send(path, sent, {
            ...signedHeaders(sent, app),
            'x-sign': signed,
            'x-request-id': appKey,
          });
    const rows = await untilWritten(`app_id = '${app.appId}' AND calls = 1`, 27);
    const text = JSON.stringify(rows);
    expect(text).toContain('****');
    for (const secret of [appKey, appKey.slice(0, 8), '492039']) expect(text).not.toContain(secret);
  });

  it('that prove no key push out none that do, and fill nothing', async () => {
    const app = await api.addApp();
    const forged = { ...signedHeaders('{}', app), 'x-sign': 'ab'.repeat(32) };
    const flood = (address: string) =>
      api.app.inject({
        method: 'POST',
        url: '/api/order/detail',
        payload: '{}',
        headers: forged,
        remoteAddress: address,
      });
    await Promise.all(Array.from({ length: 400 }, (_, place) => flood(`192.0.2.${place % 250}`)));
    for (let place = 0; place < 20; place++) {
      await api.call('/api/order/create', { ...ORDER, out_trade_no: `p-${place}` }, app);
      await flood(`192.0.2.${place}`);
    }
    const own = await untilWritten(`app_id = '${app.appId}' AND is_proven`, 20);
    expect(own.every(({ calls }) => calls === 1)).toBe(true);
    expect(await rowsWhere(`app_id = '${app.appId}' AND NOT is_proven`)).toHaveLength(30);
    api.world.advance(60_000);
    const counted = await vi.waitFor(
      async () => {
        // On a busy machine a few find the database silent, and are counted by that answer.
        const rows = await rowsWhere(`app_id = '${app.appId}' AND calls > 1`);
        expect(rows.reduce((sum, { calls }) => sum + calls, 0)).toBe(390);
        return rows;
      },
      { timeout: 20_000, interval: 100 },
    );
    expect(counted.every((row) => !row.is_proven && row['sent_body'] === null)).toBe(true);
    expect(counted.map(({ code }) => code)).toContain(10008);
  });

  it('that only ask are counted beyond some', async () => {
    const app = await api.addApp();
    for (let place = 0; place < 25; place++) await api.call('/api/currency/token-list', {}, app);
    await untilWritten(`app_id = '${app.appId}'`, 10);
    api.world.advance(60_000);
    const [counted] = await untilWritten(`app_id = '${app.appId}' AND calls > 1`, 1);
    expect(counted).toMatchObject({ operation: 'token-list', code: 0, calls: 15 });
  });
});

it('a database that is silent for it delays no answer', async () => {
  const asked: string[] = [];
  const silent = (): Promise<never> => {
    asked.push('write');
    return new Promise(() => undefined);
  };
  const api = await startTestApi(inject('postgresAdminUrl'), { transact: silent });
  try {
    expect(await api.call('/api/currency/token-list', {})).toMatchObject({ code: 0 });
    await vi.waitFor(() => expect(asked).toHaveLength(1), { timeout: 20_000 });
    expect(await api.call('/api/currency/token-list', {})).toMatchObject({ code: 0 });
  } finally {
    await api.close();
  }
});

describe('what waits', () => {
  /** Each sleep of the log ends when the test says so. */
  function openLog(transact: (lines: number, columns: readonly (readonly unknown[])[]) => Promise<void>) {
    const turns: (() => void)[] = [];
    const lost: number[] = [];
    const writing: Transact = async (flow) => {
      // The statement is not looked at: how many calls it would write is all that matters.
      const tx = {
        write: async (_sql: string, columns: readonly (readonly unknown[])[]) => {
          await transact(columns[0]?.length ?? 0, columns);
          return [];
        },
      } as unknown as Tx;
      return flow(tx);
    };
    const world = createTestWorld(0);
    const sleep = (_ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve) => {
        turns.push(resolve);
        signal?.addEventListener('abort', () => resolve());
      });
    const log = createCallLog({
      appKeys: { lastKnownKeysFor: (appId) => ({ app: { appId }, keys: ['k'] }) as never },
      transact: writing,
      world: { ...world, sleep },
      logger: { error: () => undefined },
      observer: { lostCallLines: (lines) => void lost.push(lines) },
    });
    const turn = async () => {
      turns.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    };
    return { log, turn, lost: () => lost.reduce((sum, lines) => sum + lines, 0) };
  }

  /** Each of an app of its own, so that none is counted. */
  function answer(log: CallLog, calls: number): void {
    for (let place = 0; place < calls; place++) log.answered({ ...created, appId: `app_${place}` });
  }
  const created: AnsweredCall = {
    appId: 'app',
    isProven: true,
    operation: 'create-order',
    method: 'POST',
    url: '/api/order/create',
    httpStatus: 200,
    code: 0,
    message: 'success',
    durationMs: 1,
    address: '192.0.2.1',
    requestId: 'req_1',
    rawHeaders: [],
    body: Buffer.from('{}'),
    tradeNo: null,
  };

  it('is written when the database is back, once, and in one statement', async () => {
    const written: number[] = [];
    let isAway = true;
    const { log, turn, lost } = openLog(async (lines) => {
      if (isAway) throw new Outage('away', { retryable: true });
      written.push(lines);
    });
    answer(log, 3);
    await turn();
    answer(log, 2);
    isAway = false;
    await turn();
    await turn();
    expect([written, lost()]).toEqual([[5], 0]);
    answer(log, 1);
    await log.close();
    expect(written).toEqual([5, 1]);
  });

  it('is written whatever a clock that was put right made of a duration', async () => {
    const durations: unknown[] = [];
    const { log } = openLog(async (_lines, columns) => {
      durations.push(...columns.flat().filter((value) => Number(value) > 1_000_000));
    });
    for (let place = 0; place < 300; place++) log.answered({ ...created, durationMs: 2 ** 40 });
    await log.close();
    expect(new Set(durations)).toEqual(new Set([2 ** 31 - 1]));
  });

  it('has few lines of a network that proves no key, whatever apps and addresses it makes up', async () => {
    const written: number[] = [];
    const { log, turn } = openLog(async (lines) => void written.push(lines));
    for (let place = 0; place < 100; place++) {
      const made = { appId: `app_${place}`, address: `2001:db8::${place}`, isProven: false };
      log.answered({ ...created, ...made, code: 10008 });
    }
    await turn();
    expect(written).toEqual([60]);
    await log.close();
  });

  it('is bounded, and what has no room is counted', async () => {
    const { log, turn, lost } = openLog(() => Promise.reject(new Outage('away', { retryable: true })));
    answer(log, 2_500);
    expect(lost()).toBe(500);
    await turn();
    answer(log, 10);
    expect(lost()).toBe(510);
    await log.close();
    expect(lost()).toBe(2_510);
  });

  it('is given up where a line cannot be written at all, and the next ones are', async () => {
    const written: number[] = [];
    let isWrong = true;
    const { log, turn, lost } = openLog(async (lines) => {
      if (isWrong) throw new Error('a wrong statement');
      written.push(lines);
    });
    answer(log, 3);
    await turn();
    isWrong = false;
    answer(log, 2);
    await turn();
    expect([written, lost()]).toEqual([[2], 3]);
  });
});
