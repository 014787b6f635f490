// What was just done, said once at the edge of the window.
import { Toast } from '@base-ui/react/toast';
import styles from './toasts.module.css';

const queue = Toast.createToastManager();

export function say(text: string): void {
  queue.add({ title: text, timeout: 5_000 });
}

export function Toasts() {
  return (
    <Toast.Provider toastManager={queue} limit={3}>
      <Toast.Portal>
        <Toast.Viewport className={styles['viewport']}>
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function ToastList() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={styles['toast']}>
      <Toast.Title className={styles['title']} />
    </Toast.Root>
  ));
}
