import { Check, Copy as CopyIcon } from "lucide-preact";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { dayAndTime, longTime, relativeTime, shortTime, words } from "../words/index.ts";
import { Button } from "./button.tsx";

/** A time in the reader's own zone; pointing at it tells all of it, with UTC. */
export function When({ at, form = "short" }: { at: string; form?: "short" | "long" | "relative" }) {
  const text = form === "short" ? shortTime(at) : form === "long" ? dayAndTime(at) : relativeTime(at);
  return (
    <time dateTime={at} title={`${longTime(at)} (${at.slice(0, 16).replace("T", " ")} UTC)`}>
      {text}
    </time>
  );
}

const COPIED_MS = 2_000;

/** A button that copies `text`. */
export function CopyButton({ text, label = words.copy }: { text: string; label?: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <Button small icon={copied ? Check : CopyIcon} onClick={() => void copy()}>
      <span aria-live="polite">{copied ? words.copied : label}</span>
    </Button>
  );
}

/** A piece of code or a value to copy. */
export function Code({ text, copy = true }: { text: string; copy?: boolean }) {
  return (
    <div class="flex min-w-0 flex-col items-start justify-between gap-2 rounded-lg border border-line bg-paper p-3 sm:flex-row">
      <pre
        class="min-w-0 grow self-stretch font-mono sm:self-center text-sm whitespace-pre-wrap"
        tabIndex={0}
      >
        {text}
      </pre>
      {copy && <CopyButton text={text} />}
    </div>
  );
}

/** Asks for the next page when its end comes into sight, and has a button for keys. */
export function MorePages({
  of: { hasNextPage, isFetchingNextPage, fetchNextPage },
}: {
  of: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> };
}) {
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (end.current === null || !hasNextPage || isFetchingNextPage) return;
    const watcher = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting === true) void fetchNextPage();
    });
    watcher.observe(end.current);
    return () => watcher.disconnect();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  if (!hasNextPage) return null;
  return (
    <div ref={end} class="flex justify-center py-3">
      <Button small busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {words.more}
      </Button>
    </div>
  );
}

/** Views of one thing beside each other, as links: which one is on stands in the address, and is in sight. */
export function TabLinks({
  tabs,
  label,
}: {
  tabs: readonly { href: string; name: string; current: boolean }[];
  label: string;
}) {
  const on = useRef<HTMLAnchorElement>(null);
  const current = tabs.find((tab) => tab.current)?.href;
  useEffect(() => {
    if (current !== undefined) on.current?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [current]);
  return (
    <nav aria-label={label} class="-mx-4 overflow-x-auto px-4 sm:mx-0 sm:px-0">
      <ul class="flex min-w-max gap-1 border-b border-line">
        {tabs.map((tab) => (
          <li key={tab.href}>
            <a
              ref={tab.current ? on : null}
              href={`#${tab.href}`}
              aria-current={tab.current ? "page" : undefined}
              class={`-mb-px block min-h-11 border-b-2 px-3 py-2.5 text-sm font-semibold no-underline ${tab.current ? "border-accent text-ink" : "border-transparent text-soft hover:text-ink"}`}
            >
              {tab.name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** A remark beside what it is about. */
export function Note({
  tone = "progress",
  children,
}: {
  tone?: "progress" | "approval" | "problem" | "done" | "question";
  children: ComponentChildren;
}) {
  const tones = {
    progress: "bg-progress-ground text-progress",
    approval: "bg-approval-ground text-approval",
    problem: "bg-problem-ground text-problem",
    question: "bg-question-ground text-question",
    done: "bg-done-ground text-done",
  };
  return <div class={`rounded-lg px-3.5 py-2.5 text-sm ${tones[tone]}`}>{children}</div>;
}

/** Choices beside each other, of which one is on. */
export function TabButtons({
  tabs,
  value,
  onValue,
  label,
}: {
  tabs: readonly { value: string; name: string }[];
  value: string;
  onValue: (value: string) => void;
  label: string;
}) {
  return (
    <div role="group" aria-label={label} class="flex flex-wrap gap-1 rounded-lg bg-paper p-1">
      {tabs.map((tab) => (
        <button
          key={tab.value}
          type="button"
          aria-pressed={tab.value === value}
          class={`min-h-9 rounded-md px-3 text-sm font-semibold ${tab.value === value ? "bg-sheet text-ink shadow-sheet" : "text-soft hover:text-ink"}`}
          onClick={() => onValue(tab.value)}
        >
          {tab.name}
        </button>
      ))}
    </div>
  );
}
