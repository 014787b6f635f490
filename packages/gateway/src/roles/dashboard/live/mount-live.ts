// GET /live/<operation>?request=<JSON>: a stream of an operation's answer, and of each later answer that differs.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { LimitedConnections } from '../../../http/connection-limit.ts';
import { type Answer, refusal } from '../call.ts';
import type { DashboardDeps } from '../port.ts';
import { readSession } from '../session/read-session.ts';
import { createLiveAnswers } from './live-answers.ts';
import { type LiveName, liveNames, type LiveQuestion } from './live-questions.ts';

/** Runs an operation as its POST does, with the same checks. */
export type Asker = (
  name: LiveName,
  exchange: { readonly request: FastifyRequest; readonly reply: FastifyReply; readonly body: Buffer },
) => Promise<Answer<object>>;

const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-content-type-options': 'nosniff',
  // A proxy that buffers would delay the answers.
  'x-accel-buffering': 'no',
} as const;

interface LiveDeps {
  readonly deps: DashboardDeps;
  readonly connections: LimitedConnections;
  readonly ask: Asker;
  readonly sendRefusal: (reply: FastifyReply, no: ReturnType<typeof refusal>['refusal']) => FastifyReply;
}

interface LiveRoute {
  Querystring: { request?: string | string[] };
}

export function mountLive(app: FastifyInstance, { deps, connections, ask, sendRefusal }: LiveDeps): void {
  const live = createLiveAnswers(deps);
  app.addHook('preClose', async () => live.close());
  for (const name of liveNames) {
    app.get<LiveRoute>(`/live/${name}`, async (request, reply) => {
      const site = request.headers['sec-fetch-site'];
      if (site !== undefined && site !== 'same-origin')
        return sendRefusal(reply, refusal('origin-refused', 'only the dashboard itself may ask').refusal);
      const text = typeof request.query.request === 'string' ? request.query.request : '';
      const first = await ask(name, { request, reply, body: Buffer.from(text) });
      if (!first.ok) return sendRefusal(reply, first.refusal);
      const session = await readSession(deps, request, deps.world.nowMs());
      if (session === null) return sendRefusal(reply, refusal('signed-out', 'sign in first').refusal);
      reply.hijack();
      reply.raw.writeHead(200, STREAM_HEADERS);
      connections.mayCut(reply.raw);
      const { sessionId } = session.session;
      // `ask` has checked the request against the schema of this operation, and `first` is its answer.
      const question = { name, request: JSON.parse(text) } as LiveQuestion;
      live.open(question, first.value as Parameters<typeof live.open>[1], {
        stream: reply.raw,
        ip: request.ip,
        sessionId,
      });
      return reply;
    });
  }
}
