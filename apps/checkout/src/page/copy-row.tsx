// A value that is read letter by letter and copied in one touch.
import { useRef, useState } from 'preact/hooks';
import type { Words } from '../words/en.ts';
import { Icon } from './icon.tsx';
import { Address, Digits } from './in-groups.tsx';

interface Props {
  readonly label: string;
  /** What is copied: exactly this, in plain characters. */
  readonly value: string;
  readonly words: Words;
  readonly kind: 'amount' | 'address';
  readonly unit?: string;
}

const SHOWN_MS = 2_000;

export function CopyRow({ label, value, words, kind, unit = '' }: Props) {
  const [isCopied, setCopied] = useState(false);
  const shown = useRef<HTMLSpanElement>(null);
  const copy = () => {
    writeClipboard(value).then(
      () => {
        setCopied(true);
        setTimeout(() => setCopied(false), SHOWN_MS);
      },
      // Where a browser forbids copying, the value is selected, so that the payer can copy it by keys.
      () => shown.current !== null && getSelection()?.selectAllChildren(shown.current),
    );
  };
  return (
    <div class="copy-row">
      <div>
        <div class="label">{label}</div>
        <div class={kind === 'amount' ? 'sum' : 'mono'} dir="ltr" translate={false}>
          <span ref={shown}>{kind === 'amount' ? <Digits amount={value} /> : <Address text={value} />}</span>
          {unit === '' ? null : <span class="unit"> {unit}</span>}
        </div>
      </div>
      <button
        type="button"
        class="copy by-script"
        data-copied={isCopied}
        onClick={copy}
        aria-label={`${words.copy}: ${label}`}
      >
        <Icon name={isCopied ? 'check' : 'copy'} />
        <span aria-live="polite">{isCopied ? words.copied : words.copy}</span>
      </button>
    </div>
  );
}

/** Rejects where there is no clipboard, such as on pages without TLS. */
async function writeClipboard(value: string): Promise<void> {
  await navigator.clipboard.writeText(value);
}
