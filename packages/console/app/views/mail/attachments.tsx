import type { Attachment, Message } from "@letterslot/client";
import { Download, Eye, FileText, Paperclip } from "lucide-preact";
import { useEffect, useState } from "preact/hooks";
import { client } from "../../api/caller.ts";
import { useAnswer } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { RoundIcon, Section } from "../../ui/layout.tsx";
import { saveFile } from "../../ui/save-file.ts";
import { shown, written } from "../../ui/shown.ts";
import { Answer } from "../../ui/states.tsx";
import { say } from "../../ui/toasts.tsx";
import { fileSize, words } from "../../words/index.ts";

const text = words.mail;

/** What browsers draw and what can't hold a script. */
const PICTURES = /^image\/(png|jpeg|gif|webp)$/i;

/** The files of a mail: pictures and extracted text are shown here, everything can be saved. */
export function Attachments({ message }: { message: Message }) {
  const { attachments } = message;
  if (attachments.length === 0) return null;
  return (
    <Section title={text.attachments} count={attachments.length}>
      <ul class="grid gap-2">
        {attachments.map((attachment) => (
          <File key={attachment.id} message={message} attachment={attachment} />
        ))}
      </ul>
    </Section>
  );
}

function File({ message, attachment }: { message: Message; attachment: Attachment }) {
  const [shows, setShows] = useState(false);
  const { content_type, size_bytes, text_url } = attachment;
  const filename = shown(attachment.filename);
  const ids = { inbox_id: message.inbox_id, message_id: message.id, attachment_id: attachment.id };
  const isPicture = PICTURES.test(content_type);
  const save = async () => {
    const { bytes } = await client.attachments.get(ids);
    saveFile(bytes, filename, "application/octet-stream");
  };
  return (
    <li class="grid gap-3 rounded-lg border border-line p-3">
      <div class="flex flex-wrap items-center gap-3">
        <span class="flex min-w-0 grow basis-60 items-center gap-3">
          <RoundIcon icon={isPicture ? Eye : text_url === undefined ? Paperclip : FileText} />
          {/* All of the name: its end says what the file is. */}
          <span class="grid min-w-0">
            <span class="font-medium">{filename}</span>
            <span class="text-sm text-soft">{`${fileSize(size_bytes)} · ${shown(content_type)}`}</span>
          </span>
        </span>
        <span class="flex flex-wrap gap-2">
          {(isPicture || text_url !== undefined) && (
            <Button small onClick={() => setShows(!shows)} aria-expanded={shows}>
              {shows ? text.hideFile : text.showFile}
            </Button>
          )}
          <Button small icon={Download} onClick={() => void save().catch(say)}>
            {text.saveFile}
          </Button>
        </span>
      </div>
      {shows && (isPicture ? <Picture ids={ids} name={filename} /> : <ExtractedText ids={ids} />)}
    </li>
  );
}

type Ids = { inbox_id: string; message_id: string; attachment_id: string };

function Picture({ ids, name }: { ids: Ids; name: string }) {
  const file = useAnswer(["file", ids.message_id, ids.attachment_id], (api) => api.attachments.get(ids));
  const [url, setUrl] = useState<string | null>(null);
  const bytes = file.data?.bytes;
  useEffect(() => {
    if (bytes === undefined) return;
    const made = URL.createObjectURL(new Blob([bytes]));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [bytes]);
  return (
    <Answer of={file} rows={2}>
      {() =>
        url === null ? null : <img src={url} alt={name} class="max-h-[70vh] rounded-lg object-contain" />
      }
    </Answer>
  );
}

function ExtractedText({ ids }: { ids: Ids }) {
  const extracted = useAnswer(["file-text", ids.message_id, ids.attachment_id], (api) =>
    api.attachments.text(ids),
  );
  return (
    <Answer of={extracted} rows={2}>
      {(found) => (
        <div class="max-h-96 overflow-auto rounded-lg bg-paper p-3 text-sm whitespace-pre-wrap" tabIndex={0}>
          {written(new TextDecoder().decode(found.bytes)) || <span class="text-soft">{words.noText}</span>}
        </div>
      )}
    </Answer>
  );
}
