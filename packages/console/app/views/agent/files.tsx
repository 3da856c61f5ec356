import { Paperclip, RotateCw, X } from "lucide-preact";
import { useRef } from "preact/hooks";
import { Button, IconButton } from "../../ui/button.tsx";
import { shown } from "../../ui/shown.ts";
import { fileSize, percent, words } from "../../words/index.ts";
import type { Attached, Files } from "./use-files.ts";

const text = words.agent.files;

/** A button that picks files. */
export function PickFiles({ of: { add } }: { of: Files }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={text.pick}
        onChange={({ currentTarget }) => {
          add(currentTarget.files ?? []);
          // The same file may be picked again.
          currentTarget.value = "";
        }}
      />
      <Button icon={Paperclip} onClick={() => input.current?.click()}>
        {text.pick}
      </Button>
    </>
  );
}

/** The files of a message, each with how far it is or why it isn't taken. */
export function FileList({ of }: { of: Files }) {
  const { files } = of;
  const ready = files.filter(({ state }) => state === "ready").length;
  return (
    <>
      <p class="sr-only" role="status">
        {files.length > 0 && text.ready(ready, files.length)}
      </p>
      {files.length > 0 && (
        <ul class="grid gap-2" aria-label={text.list}>
          {files.map((each) => (
            <File key={each.key} attached={each} of={of} />
          ))}
        </ul>
      )}
    </>
  );
}

function File({ attached, of }: { attached: Attached; of: Files }) {
  const { key, file, state, sent_bytes, error } = attached;
  const name = shown(file.name);
  const bad = error !== null;
  return (
    <li class={`grid rounded-lg border py-1 pr-1 pl-3 ${bad ? "border-problem" : "border-line"}`}>
      <div class="flex min-w-0 items-center gap-3">
        <Paperclip size={18} class={`shrink-0 ${bad ? "text-problem" : "text-soft"}`} aria-hidden="true" />
        <span class="grid min-w-0 grow">
          <span class="truncate font-medium">{name}</span>
          <span class="text-sm text-soft">
            {fileSize(file.size)}
            {state === "waiting" && ` · ${text.waiting}`}
            {state === "sending" && ` · ${percent(Math.floor((100 * sent_bytes) / (file.size || 1)) / 100)}`}
            {state === "ready" && ` · ${text.attached}`}
          </span>
        </span>
        {state === "failed" && (
          <Button small icon={RotateCw} onClick={() => of.again(key)} aria-label={text.again(name)}>
            {words.again}
          </Button>
        )}
        <IconButton icon={X} label={text.remove(name)} onClick={() => of.remove(key)} />
      </div>
      {state === "sending" && (
        <progress
          class="progress progress-primary mb-2 w-[calc(100%-0.5rem)]"
          aria-label={text.progress(name)}
          max={file.size || 1}
          value={sent_bytes}
        />
      )}
      {bad && (
        <p role="alert" class="pr-2 pb-2 text-sm text-problem">
          {error.message} {error.fix}
        </p>
      )}
    </li>
  );
}
