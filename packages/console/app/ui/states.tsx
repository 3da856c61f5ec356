import type { LetterslotApiError } from "@letterslot/client";
import type { ComponentChildren } from "preact";
import { Link } from "wouter-preact";
import { words } from "../words/index.ts";
import { Button } from "./button.tsx";

/** Grey lines where a list is about to be. */
export function Loading({ rows = 4 }: { rows?: number }) {
  return (
    <div class="grid gap-3 py-2" role="status">
      <span class="sr-only">{words.loading}</span>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} class="flex items-center gap-3">
          <div class="skeleton size-9 shrink-0 rounded-full" />
          <div class="grid grow gap-2">
            <div class="skeleton h-3.5 w-2/5" />
            <div class="skeleton h-3 w-4/5" />
          </div>
        </div>
      ))}
    </div>
  );
}

/** A list without anything in it: a drawing, what that means, and what to do next. */
export function Empty({
  title,
  children,
  action,
}: {
  title: string;
  children?: ComponentChildren;
  action?: ComponentChildren;
}) {
  return (
    <div class="grid justify-items-center gap-3 px-4 py-10 text-center">
      <svg
        viewBox="0 0 120 80"
        class="h-20 text-accent"
        aria-hidden="true"
        fill="none"
        stroke="currentColor"
        stroke-width="2.5"
        stroke-linecap="round"
        stroke-linejoin="round"
      >
        <rect x="18" y="46" width="84" height="12" rx="6" class="fill-accent/15" />
        <path class="fill-sheet" d="M36 46V22a4 4 0 0 1 4-4h40a4 4 0 0 1 4 4v24" />
        <path d="m38 21 22 17 22-17" />
        <path class="text-line" stroke="currentColor" d="M8 70h104" />
      </svg>
      <h2 class="text-lg font-semibold">{title}</h2>
      {children && <p class="max-w-prose text-soft">{children}</p>}
      {action}
    </div>
  );
}

/** What to do about an error, where the service says so. */
export const fixOf = (error: Error): string | undefined => (error as Partial<LetterslotApiError>).fix;

/** What went wrong, what to do about it, and a button that tries again. */
export function Problem({ error, retry }: { error: LetterslotApiError | Error; retry?: () => void }) {
  const fix = fixOf(error);
  return (
    <div role="alert" class="grid justify-items-start gap-2 rounded-sheet bg-problem-ground p-4 text-problem">
      <p class="font-semibold">{error.message}</p>
      {fix !== undefined && <p>{fix}</p>}
      {retry && (
        <Button small onClick={retry}>
          {words.again}
        </Button>
      )}
    </div>
  );
}

interface Asked<T> {
  data: T | undefined;
  error: LetterslotApiError | null;
  refetch: () => unknown;
}

/** Shows an answer once it is there; till then that it comes, or why it doesn't. What is there stays while it is asked anew. */
export function Answer<T>({
  of: { data, error, refetch },
  rows,
  children,
}: {
  of: Asked<T>;
  rows?: number;
  children: (data: T) => ComponentChildren;
}) {
  // What one may no longer see isn't shown as it was.
  const gone = error !== null && [401, 403, 404].includes(error.status ?? 0);
  if (data !== undefined && !gone)
    return (
      <>
        {error && <Problem error={error} retry={() => void refetch()} />}
        {children(data)}
      </>
    );
  if (error === null) return <Loading {...(rows === undefined ? {} : { rows })} />;
  if (error.status === 404)
    return (
      <Empty title={error.message} action={<Link href="/">{words.nothingHere.link}</Link>}>
        {words.nothingHere.text}
      </Empty>
    );
  if (error.status === 403)
    return (
      <Empty title={words.forbidden.title}>{`${error.message} ${error.fix ?? words.forbidden.text}`}</Empty>
    );
  return <Problem error={error} retry={() => void refetch()} />;
}
