import { Download } from "lucide-preact";
import { useAnswer } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { saveFile } from "../../ui/save-file.ts";
import { shown } from "../../ui/shown.ts";
import { Answer } from "../../ui/states.tsx";
import { words } from "../../words/index.ts";

/** A mail is shown up to here; all of it is in the file. */
const MAX_SHOWN_CHARS = 200_000;

/** A mail as it came, byte by byte. */
export function Raw({ inbox_id, message_id }: { inbox_id: string; message_id: string }) {
  const raw = useAnswer(["messages", inbox_id, "raw", message_id], (client) =>
    client.messages.raw({ inbox_id, message_id }),
  );
  return (
    <Answer of={raw}>
      {({ bytes }) => (
        <div class="grid gap-3">
          <div>
            <Button
              small
              icon={Download}
              onClick={() => saveFile(bytes, `${message_id}.eml`, "message/rfc822")}
            >
              {words.mail.saveRaw}
            </Button>
          </div>
          <pre
            class="max-h-[60vh] overflow-auto rounded-lg border border-line bg-paper p-3 font-mono text-xs whitespace-pre-wrap"
            tabIndex={0}
          >
            {shown(new TextDecoder().decode(bytes).slice(0, MAX_SHOWN_CHARS))}
          </pre>
        </div>
      )}
    </Answer>
  );
}
