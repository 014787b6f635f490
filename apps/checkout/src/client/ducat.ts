// What a merchant's page loads to show the payment page in a frame: Ducat.open('ord_…'), or a button with data-ducat.

interface Opened {
  close(): void;
}

interface Ducat {
  /** `onState` gets the state that the page shows. Only the webhook proves a payment. */
  open(tradeNo: string, onState?: (state: string) => void): Opened;
}

declare global {
  interface Window {
    Ducat?: Ducat;
  }
}

(() => {
  // While a classic script runs, `document.currentScript` is its own element.
  const here = (document.currentScript as HTMLScriptElement | null)?.src;
  if (here === undefined) return;
  const base = new URL('..', here);
  const COVER = 'position:fixed;inset:0;width:100%;height:100%;border:0;z-index:2147483647;background:#0009';

  const open: Ducat['open'] = (tradeNo, onState = () => undefined) => {
    if (!/^ord_[0-9a-z]{30}$/.test(tradeNo)) throw new TypeError('not a trade_no');
    const frame = document.createElement('iframe');
    frame.src = new URL(tradeNo, base).href;
    frame.allow = 'clipboard-write';
    frame.style.cssText = COVER;
    const close = () => {
      removeEventListener('message', receive);
      removeEventListener('keydown', onKey);
      frame.remove();
    };
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') close();
    };
    const receive = ({
      source,
      origin,
      data,
    }: MessageEvent<{ ducat?: unknown; trade_no?: unknown; state?: unknown } | null>) => {
      if (source !== frame.contentWindow || origin !== base.origin) return;
      if (data?.ducat === 'close') close();
      if (data?.ducat === 'state' && data.trade_no === tradeNo) onState(String(data.state));
    };
    addEventListener('message', receive);
    addEventListener('keydown', onKey);
    frame.addEventListener('load', () => frame.contentWindow?.postMessage({ ducat: 'hello' }, base.origin));
    document.body.append(frame);
    return { close };
  };
  window.Ducat = { open };
  document.addEventListener('click', (event) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-ducat]') : null;
    if (button?.dataset['ducat'] !== undefined) open(button.dataset['ducat']);
  });
})();

export {};
