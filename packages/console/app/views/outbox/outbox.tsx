import { useEffect, useRef } from "preact/hooks";
import { Link } from "wouter-preact";
import { type CapturedMail, capturedMail } from "../../api/machine.ts";
import { usePolling } from "../../api/polling.ts";
import { usePages } from "../../api/queries.ts";
import { Sheet, View } from "../../ui/layout.tsx";
import { ListBeside } from "../../ui/list-beside.tsx";
import { MorePages, When } from "../../ui/small.tsx";
import { Answer, Empty } from "../../ui/states.tsx";
import { words } from "../../words/index.ts";
import { Captured } from "./captured.tsx";

const text = words.outbox;

/** The mail that the server kept instead of sending it: a list that reloads by itself, and beside it the mail that is read. */
export function Outbox({ name }: { name: string | null }) {
  return (
    <ListBeside
      reads={name !== null}
      list={
        <View title={text.title} lead={text.lead}>
          <List current={name} />
        </View>
      }
    >
      {name === null ? (
        <p class="pt-24 text-center text-soft">{text.choose}</p>
      ) : (
        <Captured key={name} name={name} />
      )}
    </ListBeside>
  );
}

function List({ current }: { current: string | null }) {
  const mails = usePages<CapturedMail>(["outbox", "list"], (_client, before) => capturedMail.list(before));
  usePolling(!mails.isFetching, () => void mails.refetch());
  const { items } = mails;
  return (
    <Answer of={mails} rows={6}>
      {() =>
        items.length === 0 ? (
          <Sheet>
            <Empty title={text.empty.title}>{text.empty.text}</Empty>
          </Sheet>
        ) : (
          <>
            <Sheet flush>
              <ul class="divide-y divide-line" aria-label={text.title}>
                {items.map((mail) => (
                  <One key={mail.name} mail={mail} current={mail.name === current} />
                ))}
              </ul>
            </Sheet>
            <MorePages of={mails} />
          </>
        )
      }
    </Answer>
  );
}

function One({
  mail: { name, captured_at, to, subject },
  current,
}: {
  mail: CapturedMail;
  current: boolean;
}) {
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (current) row.current?.scrollIntoView({ block: "nearest" });
  }, [current]);
  return (
    <li ref={row}>
      <Link
        href={`/outbox/${encodeURIComponent(name)}`}
        aria-current={current ? "true" : undefined}
        class={`grid min-h-14 grid-cols-[minmax(0,1fr)] gap-0.5 px-4 py-3 text-ink no-underline focus-visible:-outline-offset-3 ${current ? "bg-paper shadow-[inset_3px_0_0_var(--accent)]" : "hover:bg-paper"}`}
      >
        <span class="flex items-baseline gap-2">
          <span class="min-w-0 grow truncate">{to.join(", ") || words.none}</span>
          <span class="shrink-0 text-xs text-soft">
            <When at={captured_at} />
          </span>
        </span>
        <span class="truncate text-sm text-soft">{subject || words.noSubject}</span>
      </Link>
    </li>
  );
}
