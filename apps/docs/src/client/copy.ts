// Adds a button to every block of code, which copies the code.

const SHOWN_MS = 1_500;

/** `renew` runs before a sample is copied, so that a signature in the sample is fresh. */
export function addCopyButtons(renew: () => Promise<void>): void {
  for (const block of document.querySelectorAll('article pre')) {
    const frame = document.createElement('div');
    frame.className = 'code';
    block.replaceWith(frame);
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', () => void copy(block, button, renew));
    frame.append(block, button);
  }
}

async function copy(block: Element, button: HTMLButtonElement, renew: () => Promise<void>): Promise<void> {
  if (block.closest('.samples') !== null) await renew();
  const done = await navigator.clipboard.writeText(block.textContent ?? '').then(
    () => true,
    () => false,
  );
  button.textContent = done ? 'Copied' : 'Not allowed';
  setTimeout(() => {
    button.textContent = 'Copy';
  }, SHOWN_MS);
}
