// Hydrates the page that the server wrote. From then on it follows the order and lets wallets pay.
import { hydrate } from 'preact';
import type { PageData } from '../page/model.ts';
import { LivePage } from './live-page.tsx';

const root = document.getElementById('page');
const text = document.getElementById('data')?.textContent;
// The server wrote the data, of this type.
if (root !== null && text) hydrate(<LivePage data={JSON.parse(text) as PageData} />, root);
