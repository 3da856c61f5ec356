import type { LucideIcon } from "lucide-preact";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { words } from "../words/index.ts";
import { Button } from "./button.tsx";
import { fixOf, Problem } from "./states.tsx";

/** Runs an act once at a time, and keeps why it failed. Whether it worked is the answer. */
export function useAttempt() {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const attempt = async (act: () => Promise<unknown>): Promise<boolean> => {
    setBusy(true);
    setError(null);
    try {
      await act();
      return true;
    } catch (cause) {
      setError(cause as Error);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, error, attempt };
}

/** A form with one act: Enter does it, and what went wrong stands above its button. */
export function ActForm({
  submit,
  act,
  onCancel,
  children,
}: {
  submit: string;
  act: () => Promise<unknown>;
  onCancel?: () => void;
  children?: ComponentChildren;
}) {
  const { busy, error, attempt } = useAttempt();
  return (
    <form
      class="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void attempt(act);
      }}
    >
      {children}
      {error && <Problem error={error} />}
      <div class="flex flex-wrap gap-2">
        <Button kind="primary" type="submit" busy={busy}>
          {submit}
        </Button>
        {onCancel && (
          <Button kind="plain" onClick={onCancel}>
            {words.cancel}
          </Button>
        )}
      </div>
    </form>
  );
}

/** A button for an act that can be done again or taken back; what went wrong stands beneath it. */
export function ActButton({
  act,
  icon,
  kind,
  children,
}: {
  act: () => Promise<unknown>;
  icon?: LucideIcon;
  kind?: "primary" | "quiet" | "plain";
  children: ComponentChildren;
}) {
  const { busy, error, attempt } = useAttempt();
  return (
    <span class="inline-grid max-w-full justify-items-start gap-1">
      <Button
        small
        busy={busy}
        {...(icon === undefined ? {} : { icon })}
        {...(kind === undefined ? {} : { kind })}
        onClick={() => void attempt(act)}
      >
        {children}
      </Button>
      {error && (
        <span role="alert" class="text-sm text-problem">
          {error.message} {fixOf(error)}
        </span>
      )}
    </span>
  );
}
