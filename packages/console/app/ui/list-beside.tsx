import type { ComponentChildren } from "preact";

/** A list, and beside it what was opened of it, each scrolling by itself; on a phone one or the other. */
export function ListBeside({
  list,
  reads,
  children,
}: {
  list: ComponentChildren;
  /** Something of it is open. */
  reads: boolean;
  children: ComponentChildren;
}) {
  return (
    <div class="mx-auto max-w-6xl lg:grid lg:grid-cols-[22rem_minmax(0,1fr)] lg:gap-6">
      <div
        data-keeps-place
        class={`lg:sticky lg:top-8 lg:-m-1 lg:max-h-[calc(100dvh-4rem)] lg:self-start lg:overflow-y-auto lg:p-1 ${reads ? "hidden lg:block" : ""}`}
      >
        {list}
      </div>
      <div class={reads ? "min-w-0" : "hidden lg:block"}>{children}</div>
    </div>
  );
}
