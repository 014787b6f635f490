// Finds the call behind a path.
import type { Chain } from '../chain/chain.ts';
import type { DevControls } from '../control/controls.ts';
import { controlRoutes } from './control-routes.ts';
import { eventsFor } from './events.ts';
import type { Routes } from './route.ts';
import { fullRoutes, solidityRoutes } from './routes/registry.ts';
import type { Asked, Dispatch } from './server.ts';
import { type ChainView, fullView, solidView } from './view.ts';

/** Serves both APIs on one host, as TronGrid does, the events API and the controls. */
export function fullDispatch(chain: Chain, controls: DevControls): Dispatch {
  const full = fullView(chain);
  const solid = solidView(chain);
  const dev = controlRoutes(controls);
  return async (path, asked) => {
    const [, room = '', name = '', ...rest] = path.split('/');
    if (room === 'wallet' && rest.length === 0) return call(fullRoutes, name, asked, chain, full);
    if (room === 'walletsolidity' && rest.length === 0)
      return call(solidityRoutes, name, asked, chain, solid);
    if (room === 'v1') return { json: await eventsFor(chain, [name, ...rest], asked.all()) };
    const control = room === 'dev' && rest.length === 0 ? dev[name] : undefined;
    return control === undefined ? null : { json: await control(asked.all()) };
  };
}

/** Serves the calls of java-tron's solidity port. */
export function solidityDispatch(chain: Chain): Dispatch {
  const solid = solidView(chain);
  return async (path, asked) => {
    const [, room = '', name = '', ...rest] = path.split('/');
    return room === 'walletsolidity' && rest.length === 0
      ? call(solidityRoutes, name, asked, chain, solid)
      : null;
  };
}

/** Calls that never read a body, so that a malformed body does not matter. */
const bodiless: ReadonlySet<string> = new Set([
  'getnowblock',
  'getnodeinfo',
  'getchainparameters',
  'getenergyprices',
  'getbandwidthprices',
  'getmemofee',
  'getburntrx',
  'getpendingsize',
  'listwitnesses',
  'listnodes',
]);

async function call(routes: Routes, name: string, asked: Asked, chain: Chain, view: ChainView) {
  const route = Object.hasOwn(routes, name) ? routes[name] : undefined;
  if (route === undefined) return null;
  const params = bodiless.has(name) ? asked.query : asked.all();
  return { json: await route(params, { chain, view }) };
}
