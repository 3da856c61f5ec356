import type { ComponentChildren } from "preact";
import { Sheet } from "./layout.tsx";

export interface Column<T> {
  name: string;
  show: (item: T) => ComponentChildren;
  /** Numbers stand beneath each other. */
  number?: boolean;
}

/** A table; on a phone each of its rows is a small list of names and values. The first column says what a row is. */
export function Table<T>({
  label,
  columns,
  items,
  keyOf,
}: {
  label: string;
  columns: readonly Column<T>[];
  items: readonly T[];
  keyOf: (item: T) => string;
}) {
  return (
    <Sheet flush>
      {/* The roles stay although a phone shows blocks. */}
      <table role="table" aria-label={label} class="w-full text-sm max-sm:block">
        <thead role="rowgroup" class="max-sm:sr-only">
          <tr role="row" class="border-b border-line text-left text-soft">
            {columns.map(({ name, number }) => (
              <th
                key={name}
                role="columnheader"
                scope="col"
                class={`px-4 py-2.5 font-semibold ${alignOf(number)}`}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" class="divide-y divide-line max-sm:block">
          {items.map((item) => (
            <tr key={keyOf(item)} role="row" class="max-sm:grid max-sm:gap-1 max-sm:px-4 max-sm:py-3">
              {columns.map(({ name, show, number }, index) => (
                <td
                  key={name}
                  role="cell"
                  class={`align-top max-sm:flex max-sm:justify-between max-sm:gap-4 sm:px-4 sm:py-2.5 ${alignOf(number)} ${index === 0 ? "max-sm:font-semibold" : ""}`}
                >
                  {index > 0 && (
                    <span class="shrink-0 text-soft sm:hidden" aria-hidden="true">
                      {name}
                    </span>
                  )}
                  <span class={`min-w-0 ${index > 0 ? "max-sm:text-right" : ""}`}>{show(item)}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Sheet>
  );
}

const alignOf = (number = false): string => (number ? "sm:text-right tabular-nums" : "");
