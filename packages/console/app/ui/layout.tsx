import { ChevronLeft, ChevronRight, type LucideIcon } from "lucide-preact";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Link } from "wouter-preact";
import { goBack } from "../api/address.ts";
import { atLeast, words } from "../words/index.ts";
import { breakable } from "./address.tsx";
import { shown } from "./shown.ts";

/** A view: its heading, which a change of view leads screen readers to, its acts, and its content. */
export function View({
  title,
  lead,
  back,
  actions,
  wide = false,
  children,
}: {
  title: string;
  lead?: ComponentChildren;
  back?: { href: string; label: string };
  actions?: ComponentChildren;
  /** Lists and tables take more room than what is read or decided. */
  wide?: boolean;
  children: ComponentChildren;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${shown(title)} · ${words.product}`;
    heading.current?.focus({ preventScroll: true });
  }, [title]);
  return (
    <div class={`mx-auto w-full ${wide ? "max-w-5xl" : "max-w-2xl"}`}>
      <div class="mb-4 flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div class="min-w-0">
          {back && (
            <Link
              href={back.href}
              onClick={(event: MouseEvent) => {
                event.preventDefault();
                goBack(back.href);
              }}
              class="-ml-1.5 inline-flex min-h-9 items-center gap-0.5 text-sm font-semibold no-underline"
            >
              <ChevronLeft size={18} aria-hidden="true" />
              {back.label}
            </Link>
          )}
          <h1 ref={heading} tabIndex={-1} class="text-2xl leading-tight font-semibold outline-none">
            {breakable(title)}
          </h1>
          {lead && <p class="mt-1 text-soft">{shown(lead)}</p>}
        </div>
        {actions && <div class="flex flex-wrap gap-2">{actions}</div>}
      </div>
      <div class="grid gap-5">{children}</div>
    </div>
  );
}

/** A sheet of paper on the view. */
export function Sheet({ children, flush = false }: { children: ComponentChildren; flush?: boolean }) {
  return (
    <div
      class={`min-w-0 rounded-sheet border border-line bg-sheet shadow-sheet ${flush ? "overflow-hidden" : "p-4 sm:p-6"}`}
    >
      {children}
    </div>
  );
}

/** A part of a view under a heading, with how many things are in it; `more`: there are more than these. */
export function Section({
  title,
  count,
  more = false,
  action,
  children,
}: {
  title: string;
  count?: number;
  more?: boolean;
  action?: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <section class="grid min-w-0 gap-2">
      <div class="flex min-h-9 items-center justify-between gap-2">
        <h2 class="text-base font-semibold">
          {shown(title)}
          {count !== undefined && (
            <span class="ml-2 text-sm font-normal whitespace-nowrap text-soft">{atLeast(count, more)}</span>
          )}
        </h2>
        {action}
      </div>
      {children}
    </section>
  );
}

/** Rows one beneath the other on a sheet. */
export function Rows({ children, label }: { children: ComponentChildren; label?: string }) {
  return (
    <Sheet flush>
      <ul class="divide-y divide-line" aria-label={label} data-rows>
        {children}
      </ul>
    </Sheet>
  );
}

/** One thing in a list: what it is, a line about it, and when. With `href` all of it is a link. */
export function Row({
  href,
  icon,
  title,
  detail,
  meta,
  action,
  strong = false,
}: {
  href?: string;
  icon?: ComponentChildren;
  title: ComponentChildren;
  detail?: ComponentChildren;
  meta?: ComponentChildren;
  action?: ComponentChildren;
  strong?: boolean;
}) {
  const content = (
    <>
      {icon}
      <span class="grid min-w-0 grow gap-0.5">
        <span class="flex flex-wrap items-baseline gap-x-3">
          <span
            class={`min-w-0 grow basis-36 ${strong ? "line-clamp-3 font-semibold" : "line-clamp-2 font-medium"}`}
          >
            {breakable(title)}
          </span>
          {meta && (
            <span class={`shrink-0 text-xs text-soft ${strong && detail ? "max-sm:hidden" : ""}`}>
              {meta}
            </span>
          )}
        </span>
        {detail && (
          <span class="line-clamp-2 text-sm text-soft">
            {/* What is decided has all of the line on a phone. */}
            {strong && meta && <span class="sm:hidden">{meta} · </span>}
            {shown(detail)}
          </span>
        )}
      </span>
      {href !== undefined && (
        <ChevronRight size={18} class="shrink-0 text-soft max-sm:hidden" aria-hidden="true" />
      )}
    </>
  );
  const classes = "flex min-h-14 min-w-0 grow items-center gap-3 px-4 py-3";
  return (
    <li class="flex items-center">
      {href === undefined ? (
        <div class={classes}>{content}</div>
      ) : (
        <Link
          href={href}
          class={`${classes} text-ink no-underline hover:bg-paper focus-visible:-outline-offset-3`}
        >
          {content}
        </Link>
      )}
      {action && <div class="flex shrink-0 gap-1 pr-3">{action}</div>}
    </li>
  );
}

/** The first letter of a name, in a circle. */
export function Initial({ name }: { name: string }) {
  const [letter = "?"] = name.match(/[\p{L}\p{N}]/u) ?? [];
  return (
    <span
      class="grid size-9 shrink-0 place-items-center rounded-full bg-accent text-base font-semibold text-on-accent"
      aria-hidden="true"
    >
      {letter.toUpperCase()}
    </span>
  );
}

/** An icon in a circle, in the place of an initial. */
export function RoundIcon({
  icon: Icon,
  tone = "progress",
}: {
  icon: LucideIcon;
  tone?: "progress" | "approval" | "problem" | "question" | "done";
}) {
  const tones = {
    progress: "bg-progress-ground text-progress",
    approval: "bg-approval-ground text-approval",
    problem: "bg-problem-ground text-problem",
    question: "bg-question-ground text-question",
    done: "bg-done-ground text-done",
  };
  return (
    <span class={`grid size-9 shrink-0 place-items-center rounded-full ${tones[tone]}`} aria-hidden="true">
      <Icon size={18} />
    </span>
  );
}

/** What something is called, and what it is, line by line. */
export function Facts({
  facts,
}: {
  facts: readonly (readonly [name: string, value: ComponentChildren] | false | null)[];
}) {
  return (
    <dl class="grid gap-x-6 gap-y-0.5 sm:grid-cols-[max-content_1fr] sm:gap-y-2">
      {facts.map(
        (fact) =>
          fact && (
            <div key={fact[0]} class="contents">
              <dt class="text-sm text-soft sm:pt-0.5">{fact[0]}</dt>
              <dd class="min-w-0 max-sm:mb-2.5">{shown(fact[1])}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
