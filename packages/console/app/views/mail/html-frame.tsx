import type { Message } from "@letterslot/client";
import { useState } from "preact/hooks";
import { BASE_URL } from "../../api/caller.ts";
import { useCaller } from "../../api/caller-context.ts";
import { useAnswer } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Note } from "../../ui/small.tsx";
import { Answer } from "../../ui/states.tsx";
import { words } from "../../words/index.ts";

const text = words.mail.html;

/** The address is good for five minutes: it is asked for anew before that. */
const FRESH_MS = 4 * 60_000;

/** A mail as its author laid it out, in a frame in which nothing runs; images of other servers come by a press. */
export function HtmlFrame({ message: { inbox_id, id, subject } }: { message: Message }) {
  const { caller } = useCaller();
  const [images, setImages] = useState<"none" | "remote">("none");
  const view = useAnswer(
    ["view", id, images],
    (client) => client.messages.view({ inbox_id, message_id: id, images }),
    true,
    FRESH_MS,
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
          <iframe
            title={text.title(subject || words.noSubject)}
            src={`${BASE_URL}/view/${url.split("/view/").at(-1)}`}
            class="h-[70vh] w-full rounded-lg border border-line bg-white"
          />
        </div>
      )}
    </Answer>
  );
}
