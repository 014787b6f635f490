// Preloaded into a worker that runs with a planted bug: puts the bug into the product while the product is loaded.
import { register } from 'node:module';
import { plants } from './plants.ts';

const name = process.env['DUCAT_SIM_PLANTED'] ?? '';
const plant = plants[name];
if (plant === undefined) throw new Error(`there is no planted bug ${name}`);
register('./plant-loader.js', import.meta.url, { data: plant });
