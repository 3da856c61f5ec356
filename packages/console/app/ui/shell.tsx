import { BellRing, Inbox as InboxIcon, type LucideIcon, Settings2, UserRound, WifiOff } from "lucide-preact";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Link, useLocation } from "wouter-preact";
import { words } from "../words/index.ts";
import { useRowKeys } from "./keys.ts";
import { Mark } from "./mark.tsx";
import { Toasts } from "./toasts.tsx";

interface Place {
  href: string;
  name: string;
  icon: LucideIcon;
  /** Whether an address belongs to it. */
  owns: (path: string) => boolean;
}

const PLACES: readonly Place[] = [
  {
    href: "/",
    name: words.nav.needs,
    icon: BellRing,
    owns: (path) => path === "/" || path.startsWith("/approvals"),
  },
  { href: "/inboxes", name: words.nav.inboxes, icon: InboxIcon, owns: (path) => path.startsWith("/inboxes") },
  {
    href: "/operations",
    name: words.nav.operations,
    icon: Settings2,
    owns: (path) => /^\/(?:operations|outbox|phone)\b/.test(path),
  },
  { href: "/you", name: words.nav.you, icon: UserRound, owns: (path) => path.startsWith("/you") },
];

/** What is around every view: where one can go, at the side or on a phone at the foot. */
export function Shell({
  waiting,
  children,
}: {
  /** How much waits for a person; nothing of it isn't said. */
  waiting: string | null;
  children: ComponentChildren;
}) {
  const [path] = useLocation();
  useRowKeys();
  return (
    <div class="lg:grid lg:min-h-dvh lg:grid-cols-[15rem_1fr]">
      <a
        href="#content"
        class="absolute -top-20 left-2 z-50 rounded-lg bg-accent px-4 py-3 font-semibold text-on-accent focus:top-2"
        onClick={(event) => {
          event.preventDefault();
          document.querySelector<HTMLElement>("main h1")?.focus();
        }}
      >
        {words.skip}
      </a>
      <header class="flex items-center gap-2.5 px-4 pt-4 font-semibold lg:hidden">
        <Mark />
        {words.product}
      </header>
      <nav
        aria-label={words.nav.label}
        class="fixed inset-x-0 bottom-0 z-40 border-t border-line bg-sheet pb-[env(safe-area-inset-bottom)] lg:sticky lg:inset-auto lg:top-0 lg:h-dvh lg:border-t-0 lg:border-r lg:p-4"
      >
        <div class="mb-6 hidden items-center gap-2.5 px-2 font-semibold lg:flex">
          <Mark />
          {words.product}
        </div>
        <ul class="grid grid-cols-4 lg:grid-cols-1 lg:gap-1">
          {PLACES.map(({ href, name, icon: Icon, owns }) => {
            const current = owns(path);
            return (
              <li key={href}>
                <Link
                  href={href}
                  aria-current={current ? "page" : undefined}
                  class={`relative flex min-h-14 flex-col items-center justify-center gap-0.5 text-xs font-semibold no-underline focus-visible:-outline-offset-3 lg:min-h-11 lg:flex-row lg:justify-start lg:gap-3 lg:rounded-lg lg:px-3 lg:text-sm ${current ? "text-accent lg:bg-paper" : "text-soft hover:text-ink"}`}
                >
                  <Icon size={20} aria-hidden="true" />
                  {name}
                  {href === "/" && waiting !== null && (
                    <span class="absolute top-1.5 left-1/2 ml-2 min-w-5 rounded-full bg-problem px-1 text-center text-[0.7rem] leading-5 text-problem-ground lg:static lg:ml-auto">
                      {waiting}
                    </span>
                  )}
                </Link>
              </li>
            );
          })}
        </ul>
      </nav>
      <main id="content" class="min-w-0 px-4 pt-4 pb-28 lg:px-8 lg:pt-8 lg:pb-16">
        <Offline />
        {children}
      </main>
      <Toasts />
    </div>
  );
}

/** Says when the network is away: what is on the screen then may be old. */
function Offline() {
  const [away, setAway] = useState(!navigator.onLine);
  useEffect(() => {
    const look = () => setAway(!navigator.onLine);
    addEventListener("online", look);
    addEventListener("offline", look);
    return () => {
      removeEventListener("online", look);
      removeEventListener("offline", look);
    };
  }, []);
  if (!away) return null;
  return (
    <p
      role="status"
      class="mx-auto mb-4 flex max-w-5xl items-center gap-2 rounded-lg bg-approval-ground px-3.5 py-2.5 text-sm text-approval"
    >
      <WifiOff size={18} aria-hidden="true" />
      {words.offline}
    </p>
  );
}
