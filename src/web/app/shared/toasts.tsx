/** Messages that appear at the edge of the page for a while, each with a button that undoes what it tells. */
import { useEffect, useState } from 'preact/hooks';
import { useListener } from './hooks.ts';
import { asProblem } from './problems.ts';
import { isTyping } from './singleKeys.ts';
import { Button } from './ui.tsx';

const SHOWN_MS = 12_000;

interface Toast {
  id: number;
  text: string;
  undo?: (() => Promise<unknown>) | undefined;
}

let last = 0;
let show: (toast: Toast) => void = () => undefined;

/** Shows what was done. @param undo takes it back */
export function showToast(text: string, undo?: () => Promise<unknown>): void {
  last++;
  show({ id: last, text, undo });
}

/** The place where messages appear; once on the page. */
export function Toasts() {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const remove = (id: number) => setToasts((shown) => shown.filter((toast) => toast.id !== id));
  useEffect(() => {
    show = (toast) => {
      setToasts((shown) => [...shown, toast]);
      setTimeout(() => remove(toast.id), SHOWN_MS);
    };
    return () => {
      show = () => undefined;
    };
  }, []);
  const undo = async ({ id, undo: takeBack }: Toast) => {
    remove(id);
    try {
      await takeBack?.();
      showToast('Taken back.');
    } catch (error) {
      const { message, remedy } = asProblem(error);
      showToast(`${message} ${remedy}`);
    }
  };
  useListener('keydown', (event) => {
    const latest = toasts.findLast((toast) => toast.undo);
    if (!latest || event.key !== 'z' || !(event.ctrlKey || event.metaKey) || event.shiftKey || isTyping(event.target)) return;
    event.preventDefault();
    undo(latest);
  });
  return (
    <div class="toasts" role="status">
      {toasts.map((toast) => (
        <p class="toast" key={toast.id}>
          <span>{toast.text}</span>
          {toast.undo && <Button onClick={() => undo(toast)}>Undo</Button>}
          <Button kind="quiet" aria-label="Close" onClick={() => remove(toast.id)}>
            ✕
          </Button>
        </p>
      ))}
    </div>
  );
}
