import { CopyButton } from "./small.tsx";

/** A record as JSON: it scrolls in its own place, so that a long one hides nothing. */
export function Json({ value, label }: { value: unknown; label: string }) {
  const text = JSON.stringify(value, null, 2);
  return (
    <div class="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2">
      <div class="flex justify-end">
        <CopyButton text={text} />
      </div>
      <pre
        class="max-h-96 overflow-auto rounded-lg border border-line bg-paper p-3 font-mono text-xs"
        aria-label={label}
        tabIndex={0}
      >
        {text}
      </pre>
    </div>
  );
}
