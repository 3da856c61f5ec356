import { MARK } from "virtual:mark";
import { h } from "preact";

/** The mark: a letter that goes into a slot, as in core's look. */
export function Mark({ size = 28 }: { size?: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} class="shrink-0" aria-hidden="true">
      {MARK.map(([name, attributes]) =>
        h(name, { key: attributes["d"] ?? attributes["width"], ...attributes }),
      )}
    </svg>
  );
}
