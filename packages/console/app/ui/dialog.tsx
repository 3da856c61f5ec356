import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { words } from "../words/index.ts";
import { Button } from "./button.tsx";
import { shown } from "./shown.ts";
import { Problem } from "./states.tsx";

/** A dialog over the view, closed by Escape and by a press beside it. Focus goes back where it came from. */
export function Dialog({
  title,
  onClose,
  children,
  actions,
}: {
  title: string;
  onClose: () => void;
  children?: ComponentChildren;
  actions?: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog
      ref={dialog}
      class="modal modal-bottom sm:modal-middle"
      aria-labelledby="dialog-title"
      onClose={onClose}
      onClick={(event) => {
        if (event.target === dialog.current) dialog.current?.close();
      }}
    >
      <div class="modal-box grid gap-4 border border-line bg-sheet">
        <h2 id="dialog-title" class="text-lg font-semibold">
          {shown(title)}
        </h2>
        {children}
        <div class="flex flex-wrap justify-end gap-2 max-sm:[&>button]:grow">
          <Button kind="plain" onClick={() => dialog.current?.close()}>
            {words.cancel}
          </Button>
          {actions}
        </div>
      </div>
    </dialog>
  );
}

/** A button for what can't be taken back: it asks once, and names the thing. */
export function ConfirmButton({
  label,
  question,
  detail,
  act,
  small = true,
}: {
  label: string;
  question: string;
  detail?: ComponentChildren;
  act: () => Promise<unknown>;
  small?: boolean;
}) {
  const [asks, setAsks] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const confirm = async () => {
    setBusy(true);
    setError(null);
    try {
      await act();
      setAsks(false);
    } catch (cause) {
      setError(cause as Error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button kind="danger" small={small} onClick={() => setAsks(true)}>
        {label}
      </Button>
      {asks && (
        <Dialog
          title={question}
          onClose={() => setAsks(false)}
          actions={
            <Button kind="danger" busy={busy} onClick={() => void confirm()}>
              {label}
            </Button>
          }
        >
          {detail && <p class="text-soft">{shown(detail)}</p>}
          {error && <Problem error={error} />}
        </Dialog>
      )}
    </>
  );
}
