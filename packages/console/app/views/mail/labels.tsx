import { Plus, X } from "lucide-preact";
import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { Button } from "../../ui/button.tsx";
import { focusOnMount } from "../../ui/form.tsx";
import { shown } from "../../ui/shown.ts";
import { say } from "../../ui/toasts.tsx";
import { words } from "../../words/index.ts";

const text = words.mail;

interface Changes {
  add_labels?: string[];
  remove_labels?: string[];
}

/** The labels of a thread, each a link to all that has it, to take off and to add. */
export function Labels({
  labels,
  hrefOf,
  change,
}: {
  labels: readonly string[];
  hrefOf: (label: string) => string;
  change: ((changes: Changes) => Promise<unknown>) | null;
}) {
  const [adds, setAdds] = useState(false);
  const [typed, setTyped] = useState("");
  if (change === null && labels.length === 0) return null;
  const act = (changes: Changes, said: string, undo: Changes) =>
    void change?.(changes)
      .then(() => say(said, () => change(undo)))
      // The conversation around it says why.
      .catch(() => undefined);
  const remove = (label: string) =>
    act({ remove_labels: [label] }, text.labelRemoved(label), { add_labels: [label] });
  const add = () => {
    const label = typed.trim();
    setAdds(false);
    setTyped("");
    if (label === "" || labels.includes(label)) return;
    act({ add_labels: [label] }, text.labelAdded(label), { remove_labels: [label] });
  };
  return (
    <div class="flex flex-wrap items-center gap-2">
      {labels.map((label) => (
        <span
          key={label}
          class="inline-flex min-h-9 min-w-0 items-center rounded-full bg-progress-ground text-sm text-progress"
        >
          <Link
            href={hrefOf(label)}
            class={`inline-flex min-h-9 min-w-0 items-center rounded-full pl-3 text-progress no-underline hover:underline ${change === null ? "pr-3" : "pr-1"}`}
          >
            <span class="sr-only">{text.allWithLabel} </span>
            {shown(label)}
          </Link>
          {change !== null && (
            <button
              type="button"
              class="grid size-9 place-items-center rounded-full"
              aria-label={text.removeLabel(label)}
              onClick={() => remove(label)}
            >
              <X size={14} aria-hidden="true" />
            </button>
          )}
        </span>
      ))}
      {change !== null && !adds && (
        <Button
          kind="plain"
          small
          class={labels.length === 0 ? "-ms-3" : ""}
          icon={Plus}
          onClick={() => setAdds(true)}
        >
          {text.addLabel}
        </Button>
      )}
      {adds && (
        <form
          class="flex gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            add();
          }}
        >
          <input
            class="input min-h-9 w-40 border-soft bg-sheet"
            aria-label={text.addLabel}
            value={typed}
            ref={focusOnMount}
            maxLength={64}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
          <Button small type="submit">
            {text.addLabel}
          </Button>
        </form>
      )}
    </div>
  );
}
