import type { Message } from "@letterslot/client";
import { useState } from "preact/hooks";
import { useCaller } from "../../api/caller-context.ts";
import { useAnswer } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { MailFrame, VIEW_FRESH_MS } from "../../ui/mail-frame.tsx";
import { Note } from "../../ui/small.tsx";
import { Answer } from "../../ui/states.tsx";
import { words } from "../../words/index.ts";

const text = words.mail.html;

/** A mail as its author laid it out, in a frame in which nothing runs; images of other servers come by a press. */
export function HtmlFrame({ message: { inbox_id, id, subject } }: { message: Message }) {
  const { caller } = useCaller();
  const [images, setImages] = useState<"none" | "remote">("none");
  const view = useAnswer(
    ["view", id, images],
    (client) => client.messages.view({ inbox_id, message_id: id, images }),
    true,
    VIEW_FRESH_MS,
  );
  return (
    <Answer of={view} rows={3}>
      {({ url, remote_images }) => (
        <div class="grid gap-3">
          {images === "none" && remote_images > 0 && caller.kind === "person" && (
            <Note>
              {text.blocked(remote_images)}{" "}
              <Button kind="plain" small class="-ms-3" onClick={() => setImages("remote")}>
                {text.load}
              </Button>
            </Note>
          )}
          <MailFrame url={url} title={text.title(subject || words.noSubject)} />
        </div>
      )}
    </Answer>
  );
}
