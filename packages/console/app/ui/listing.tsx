import type { LetterslotApiError } from "@letterslot/client";
import { Plus } from "lucide-preact";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Button } from "./button.tsx";
import { Rows, Sheet } from "./layout.tsx";
import { MorePages } from "./small.tsx";
import { Answer, Empty } from "./states.tsx";

/** What `usePages` gives, perhaps with its items in another order or shape. */
interface Listed<T> {
  items: readonly T[];
  data: unknown;
  error: LetterslotApiError | null;
  refetch: () => unknown;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => Promise<unknown>;
}

interface Making {
  label: string;
  /** The form; it calls `done` once the thing is made, or nothing is to be made. */
  form: (done: () => void) => ComponentChildren;
}

/** A list that loads by page, with a form that makes one more. Its rows come from `children`. */
export function Listing<T>({
  title,
  of: pages,
  empty,
  make,
  children,
}: {
  title: string;
  of: Listed<T>;
  empty: { title: string; text: string };
  make?: Making | false;
  children: (item: T) => ComponentChildren;
}) {
  const [making, setMaking] = useState(false);
  const button = make && !making && (
    <Button icon={Plus} small onClick={() => setMaking(true)}>
      {make.label}
    </Button>
  );
  return (
    <section class="grid min-w-0 gap-2" aria-label={title}>
      {pages.items.length > 0 && button && <div class="flex justify-end">{button}</div>}
      {make && making && <Sheet>{make.form(() => setMaking(false))}</Sheet>}
      <Answer of={pages}>
        {() =>
          pages.items.length === 0 ? (
            !making && (
              <Sheet>
                <Empty title={empty.title} action={button}>
                  {empty.text}
                </Empty>
              </Sheet>
            )
          ) : (
            <>
              <Rows label={title}>{pages.items.map((item) => children(item))}</Rows>
              <MorePages of={pages} />
            </>
          )
        }
      </Answer>
    </section>
  );
}
