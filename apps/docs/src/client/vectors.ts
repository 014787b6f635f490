// Computes the test vectors of the page in this browser and says of each whether it fits.
import { sign } from '../samples/sign.ts';

export async function checkVectors(): Promise<void> {
  for (const card of document.querySelectorAll<HTMLElement>('[data-vector]')) {
    const { appKey = '', timestamp = '', body = '', signature } = card.dataset;
    const verdict = card.querySelector('.verdict');
    if (verdict === null) continue;
    const isGood = crypto.subtle !== undefined && (await sign(body, timestamp, appKey)) === signature;
    verdict.classList.add(isGood ? 'good' : 'bad');
    verdict.textContent = isGood
      ? 'This browser computes the same.'
      : 'Not computed: browsers sign on https and on this machine alone.';
  }
}
