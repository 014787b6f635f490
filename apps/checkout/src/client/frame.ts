// Reports the order's state to the page that frames this one. The framing page asks first, and its origin is checked.
import type { CheckoutView } from '@ducat/contract/checkout-view';

export interface Frame {
  readonly isFramed: boolean;
  report(view: CheckoutView): void;
}

/** The framing page gets a hint only. A payment is proven by the webhook to the merchant's server. */
export function openFrame(origins: readonly string[]): Frame {
  const isFramed = window.parent !== window;
  let parent: string | null = null;
  let last: CheckoutView | null = null;
  const say = () => {
    if (parent === null || last === null) return;
    const { trade_no, state } = last;
    window.parent.postMessage({ ducat: 'state', trade_no, state }, parent);
  };
  addEventListener('message', ({ source, origin, data }: MessageEvent<unknown>) => {
    const isHello = typeof data === 'object' && data !== null && 'ducat' in data && data.ducat === 'hello';
    if (!isFramed || source !== window.parent || !isHello || !origins.includes(origin)) return;
    parent = origin;
    say();
  });
  return {
    isFramed,
    report: (view) => {
      if (last?.state === view.state) return;
      last = view;
      say();
    },
  };
}
