import { useEffect, useRef } from "preact/hooks";
import { Button } from "../../ui/button.tsx";
import { Sheet } from "../../ui/layout.tsx";
import { Code, Note } from "../../ui/small.tsx";
import { words } from "../../words/index.ts";

/** A secret, which nobody can see again once it is put away. */
export function ShownOnce({
  title,
  text,
  secret,
  onStored,
}: {
  title: string;
  text: string;
  secret: string;
  onStored: () => void;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <Sheet>
      <div class="grid gap-3">
        <h2 ref={heading} tabIndex={-1} class="text-lg font-semibold outline-none">
          {title}
        </h2>
        <Note tone="approval">{words.operations.once.store}</Note>
        <Code text={secret} />
        <p class="text-soft">{text}</p>
        <div>
          <Button onClick={onStored}>{words.operations.once.stored}</Button>
        </div>
      </div>
    </Sheet>
  );
}
