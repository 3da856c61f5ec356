import { ChevronDown } from "lucide-preact";
import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import { shown } from "./shown.ts";

/** A row that opens where it stands, and shows what there is to know and do. Its content is made when it opens. */
export function Opens({
  title,
  detail,
  meta,
  depth = 0,
  children,
}: {
  title: ComponentChildren;
  detail?: ComponentChildren;
  meta?: ComponentChildren;
  /** How far it is set in, under what it descends from. */
  depth?: number;
  children: () => ComponentChildren;
}) {
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <li>
      <button
        type="button"
        class="flex min-h-14 w-full min-w-0 items-center gap-3 px-4 py-3 text-left hover:bg-paper focus-visible:-outline-offset-3"
        style={{ paddingInlineStart: `${1 + Math.min(depth, 4) * 1.25}rem` }}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        {depth > 0 && <span class="-mr-1 h-5 w-2 shrink-0 rounded-bl border-b-2 border-l-2 border-line" />}
        <span class="grid min-w-0 grow gap-1">
          <span class="flex flex-wrap items-baseline gap-x-3">
            <span class="line-clamp-2 min-w-0 grow basis-36 font-medium">{shown(title)}</span>
            {meta && <span class="shrink-0 text-xs text-soft">{meta}</span>}
          </span>
          {detail && (
            <span class="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-soft">{shown(detail)}</span>
          )}
        </span>
        <ChevronDown size={18} class={`shrink-0 text-soft ${open ? "rotate-180" : ""}`} aria-hidden="true" />
      </button>
      <div id={id} hidden={!open}>
        {open && <div class="grid gap-4 border-t border-line p-4">{children()}</div>}
      </div>
    </li>
  );
}
