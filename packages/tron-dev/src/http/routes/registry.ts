// Which calls each of the two APIs answers.
import type { Routes } from '../route.ts';
import { accountRoutes, resourceRoutes } from './accounts.ts';
import { blockRoutes } from './blocks.ts';
import { broadcastRoutes } from './broadcast.ts';
import { builderRoutes } from './builders.ts';
import { constantRoutes, contractRoutes } from './contracts.ts';
import { parameterRoutes } from './parameters.ts';
import { poolRoutes, transactionRoutes } from './transactions.ts';

const { getenergyprices, getbandwidthprices } = parameterRoutes;

/** The calls under /walletsolidity: those that java-tron also has there, and no others. */
export const solidityRoutes: Routes = {
  ...blockRoutes,
  ...transactionRoutes,
  ...accountRoutes,
  ...constantRoutes,
  ...(getenergyprices && { getenergyprices }),
  ...(getbandwidthprices && { getbandwidthprices }),
};

/** The calls under /wallet. */
export const fullRoutes: Routes = {
  ...blockRoutes,
  ...transactionRoutes,
  ...accountRoutes,
  ...constantRoutes,
  ...poolRoutes,
  ...broadcastRoutes,
  ...resourceRoutes,
  ...builderRoutes,
  ...contractRoutes,
  ...parameterRoutes,
};
