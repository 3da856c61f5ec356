import { TextArea, TextField, Tick } from "../../ui/form.tsx";
import { Sheet } from "../../ui/layout.tsx";
import { words } from "../../words/index.ts";
import { type Edited, isWords, type Mail } from "./shapes.ts";

const text = words.approval;

/** The mail in place, to change before it is approved. */
export function EditSheet({
  mail,
  edited,
  onEdited,
}: {
  mail: Mail;
  edited: Edited;
  onEdited: (edited: Edited) => void;
}) {
  const set = (part: Partial<Edited>) => onEdited({ ...edited, ...part });
  const body = (
    <TextArea
      label={text.parts.text}
      hint={mail.html === null ? undefined : text.editPlain}
      rows={Math.min(18, Math.max(6, edited.text.split("\n").length + 1))}
      value={edited.text}
      onValue={(value) => set({ text: value })}
      focused
    />
  );
  if (isWords(mail)) return <Sheet>{body}</Sheet>;
  return (
    <Sheet>
      <div class="grid gap-4">
        <TextField
          label={text.parts.subject}
          value={edited.subject}
          onValue={(value) => set({ subject: value })}
        />
        {(["to", "cc", "bcc"] as const).map((part) => (
          <TextArea
            key={part}
            label={text.parts[part]}
            hint={part === "to" ? text.editLines : undefined}
            rows={edited[part].split("\n").length}
            value={edited[part]}
            onValue={(value) => set({ [part]: value })}
          />
        ))}
        {body}
        {mail.attachments.length > 0 && (
          <fieldset>
            <legend class="font-semibold">{text.leaveOut}</legend>
            {mail.attachments.map(({ id, filename }) => (
              <Tick
                key={id}
                label={filename}
                checked={edited.without.includes(id)}
                onValue={(left_out) =>
                  set({
                    without: left_out
                      ? [...edited.without, id]
                      : edited.without.filter((each) => each !== id),
                  })
                }
              />
            ))}
          </fieldset>
        )}
      </div>
    </Sheet>
  );
}
