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
  heading = false,
  children,
}: {
  title: string;
  of: Listed<T>;
  empty: { title: string; text: string };
  make?: Making | false;
  /** Its title stands above it: it isn't all of its view. */
  heading?: boolean;
  children: (item: T) => ComponentChildren;
}) {
  const [making, setMaking] = useState(false);
  const button = make && !making && (
    <Button icon={Plus} small onClick={() => setMaking(true)}>
      {make.label}
    </Button>
  );
  return (
    <div class="grid min-w-0 gap-2">
      {heading ? (
        <div class="flex min-h-9 items-center justify-between gap-2">
          <h2 class="text-base font-semibold">{title}</h2>
          {pages.items.length > 0 && button}
        </div>
      ) : (
        pages.items.length > 0 && button && <div class="flex sm:justify-end">{button}</div>
      )}
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
    </div>
  );
}
