// Computes the page's test vectors in the browser and shows for each whether the signature is the same.
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
