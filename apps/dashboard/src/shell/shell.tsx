// The frame around every screen: a sidebar, or on a phone a bar above with a drawer.
import { Dialog } from '@base-ui/react/dialog';
import { useLocation } from 'react-router';
import { Menu as MenuIcon, Search } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useMerchant } from '../api/session.ts';
import { Button } from '../parts/button.tsx';
import dialogStyles from '../parts/dialog.module.css';
import { words } from '../words/words.ts';
import { KeysDialog } from './keys-dialog.tsx';
import { OfflineBar } from './offline-bar.tsx';
import { openPalette, PaletteOpener } from './palette/palette-opener.tsx';
import styles from './shell.module.css';
import { SidebarContent } from './sidebar.tsx';
import { useIsOperating } from './use-place-groups.ts';

export function Shell({ children }: { readonly children: ReactNode }) {
  const { pathname: path } = useLocation();
  const [drawerOpen, setDrawerOpen] = useState(false);
  useEffect(() => setDrawerOpen(false), [path]);
  const merchant = useMerchant();
  const isOperating = useIsOperating();
  return (
    <div className={styles['shell']}>
      <a className={styles['skip']} href="#main">
        {words.shell.skip}
      </a>
      <header className={styles['top']}>
        <Button
          tone="quiet"
          square
          aria-label={words.shell.openMenu}
          icon={<MenuIcon size={20} aria-hidden />}
          onClick={() => setDrawerOpen(true)}
        />
        <bdi className={styles['name']}>
          {isOperating ? words.shell.operatorHome : (merchant?.merchant_name ?? words.product)}
        </bdi>
        <Button
          tone="quiet"
          square
          aria-label={words.shell.find}
          icon={<Search size={20} aria-hidden />}
          onClick={openPalette}
        />
      </header>
      <aside className={styles['sidebar']}>
        <SidebarContent />
      </aside>
      <Dialog.Root open={drawerOpen} onOpenChange={setDrawerOpen}>
        <Dialog.Portal>
          <Dialog.Backdrop className={dialogStyles['backdrop']} />
          <Dialog.Popup className={styles['drawer']}>
            <Dialog.Title className="screen-reader">{words.shell.menu}</Dialog.Title>
            <SidebarContent />
          </Dialog.Popup>
        </Dialog.Portal>
      </Dialog.Root>
      <main id="main" tabIndex={-1} className={styles['main']}>
        <OfflineBar />
        {children}
      </main>
      <PaletteOpener />
      <KeysDialog />
    </div>
  );
}
