import { Monitor, Paperclip, Smartphone } from "lucide-preact";
import { useState } from "preact/hooks";
import { useSetting } from "../../api/address.ts";
import { capturedHtmlUrl, capturedMail, type WholeCapturedMail } from "../../api/machine.ts";
import { useAnswer } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Facts, Sheet, View } from "../../ui/layout.tsx";
import { shown, written } from "../../ui/shown.ts";
import { Note, TabButtons, When } from "../../ui/small.tsx";
import { Answer } from "../../ui/states.tsx";
import { fileSize, words } from "../../words/index.ts";

const text = words.outbox;

/** A captured mail: as its reader sees it, its text, and its source. */
export function Captured({ name }: { name: string }) {
  const mail = useAnswer(["outbox", "one", name], () => capturedMail.get(name));
  return (
    <View
      title={mail.data === undefined ? text.mail : mail.data.subject || words.noSubject}
      back={{ href: "/outbox", label: text.title }}
      wide
    >
      <Answer of={mail}>{(data) => <Opened mail={data} />}</Answer>
    </View>
  );
}

const WAYS = ["html", "text", "source"] as const;
type Way = (typeof WAYS)[number];

function Opened({ mail }: { mail: WholeCapturedMail }) {
  const ways = WAYS.filter((each) => each !== "html" || mail.html);
  const [way, setWay] = useSetting("show", ways[0] ?? "text", (value): value is Way =>
    ways.some((each) => each === value),
  );
  const { from, to, date, attachments } = mail;
  return (
    <Sheet>
      <div class="grid min-w-0 gap-4">
        <Facts
          facts={[
            [text.from, from],
            [text.to, to || words.none],
            date === null ? null : [text.date, <When key="date" at={date} form="long" />],
          ]}
        />
        <TabButtons
          label={text.ways.label}
          tabs={ways.map((value) => ({ value, name: text.ways[value] }))}
          value={way}
          onValue={(value) => setWay(value as Way)}
        />
        {way === "html" && <Html mail={mail} />}
        {way === "text" && (
          <div class="leading-relaxed whitespace-pre-wrap">
            {mail.text.trim() === "" ? (
              <span class="text-soft">{words.noText}</span>
            ) : (
              <WithLinks text={written(mail.text)} />
            )}
          </div>
        )}
        {way === "source" && (
          <pre
            class="max-h-[60vh] overflow-auto rounded-lg border border-line bg-paper p-3 font-mono text-xs whitespace-pre-wrap"
            tabIndex={0}
          >
            {shown(mail.source)}
          </pre>
        )}
        {attachments.length > 0 && (
          <ul class="grid gap-1 border-t border-line pt-3 text-sm" aria-label={text.files}>
            {attachments.map(({ filename, content_type, size_bytes }, index) => (
              <li key={index} class="flex min-w-0 items-center gap-2">
                <Paperclip size={16} class="shrink-0 text-soft" aria-hidden="true" />
                <span class="min-w-0 truncate">{filename}</span>
                <span class="shrink-0 text-soft">
                  {content_type} · {fileSize(size_bytes)}
                </span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Sheet>
  );
}

/** The mail as it was sent, in a frame in which nothing runs or loads: as wide as there is room, or as a phone. */
function Html({ mail: { name, subject, remote_pictures } }: { mail: WholeCapturedMail }) {
  const [phone, setPhone] = useState(false);
  return (
    <div class="grid min-w-0 gap-3">
      {remote_pictures && <Note>{text.blocked}</Note>}
      <div class="hidden sm:block">
        <Button small icon={phone ? Monitor : Smartphone} onClick={() => setPhone(!phone)}>
          {phone ? text.asWide : text.asPhone}
        </Button>
      </div>
      <iframe
        title={text.frame(subject || words.noSubject)}
        src={capturedHtmlUrl(name)}
        class={`mx-auto h-[70vh] w-full rounded-lg border border-line bg-white ${phone ? "max-w-[375px]" : ""}`}
      />
    </div>
  );
}

/** Addresses of pages in a text become links; what they show is where they lead. */
function WithLinks({ text: whole }: { text: string }) {
  return (
    <>
      {whole.split(/(https?:\/\/[^\s<>"]+)/).map((part, index) =>
        index % 2 === 0 ? (
          part
        ) : (
          <a key={index} href={part} target="_blank" rel="noopener noreferrer" class="underline">
            {part}
          </a>
        ),
      )}
    </>
  );
}
