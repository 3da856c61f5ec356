import { LIMITS } from "virtual:limits";
import type { LetterslotApiError } from "@letterslot/client";
import { useEffect, useRef, useState } from "preact/hooks";
import { client } from "../../api/caller.ts";
import { uploadFile } from "../../api/upload.ts";
import { fileSize, words } from "../../words/index.ts";

const text = words.agent.files;
/** More at once make none of them sooner. */
const AT_ONCE = 3;

/** A file that a person attaches, and how far it is. */
export interface Attached {
  key: number;
  file: File;
  state: "waiting" | "sending" | "ready" | "failed" | "refused";
  sent_bytes: number;
  upload_id: string | null;
  /** Why it failed, or isn't taken at all, and what to do about it. */
  error: Pick<LetterslotApiError, "message" | "fix"> | null;
}

export interface Files {
  files: readonly Attached[];
  add(files: Iterable<File>): void;
  remove(key: number): void;
  again(key: number): void;
  /** Forgets all files, which a message has by now. */
  clear(): void;
}

let last_key = 0;

/** The files of a message that isn't sent yet: they are uploaded as they are added, a few at a time. */
export function useFiles(inbox_id: string): Files {
  const [files, setFiles] = useState<readonly Attached[]>([]);
  const sending = useRef(new Map<number, AbortController>());
  const change = (key: number, to: Partial<Attached>) =>
    setFiles((all) => all.map((each) => (each.key === key ? { ...each, ...to } : each)));

  useEffect(() => {
    const { current } = sending;
    return () => {
      for (const each of current.values()) each.abort();
    };
  }, []);

  const send = async ({ key, file }: Attached) => {
    const ending = new AbortController();
    sending.current.set(key, ending);
    const { signal } = ending;
    try {
      const onProgress = (sent_bytes: number) => change(key, { sent_bytes });
      const upload_id = await uploadFile(inbox_id, file, { signal, onProgress });
      change(key, { state: "ready", upload_id });
    } catch (error) {
      if (!signal.aborted) change(key, { state: "failed", error: error as LetterslotApiError });
    } finally {
      sending.current.delete(key);
    }
  };
  useEffect(() => {
    const free = AT_ONCE - files.filter(({ state }) => state === "sending").length;
    const next = files.filter(({ state }) => state === "waiting").slice(0, Math.max(0, free));
    for (const each of next) {
      change(each.key, { state: "sending" });
      void send(each);
    }
  });

  return {
    files,
    add: (added) => setFiles((all) => withAdded(all, [...added])),
    remove(key) {
      sending.current.get(key)?.abort();
      const upload_id = files.find((each) => each.key === key)?.upload_id;
      // What nobody takes back is gone after a day.
      if (upload_id != null) client.uploads.delete({ inbox_id, upload_id }).catch(() => undefined);
      setFiles((all) => all.filter((each) => each.key !== key));
    },
    again: (key) => change(key, { state: "waiting", sent_bytes: 0, error: null }),
    clear: () => setFiles([]),
  };
}

/** The files with those that were added: what a message can't have is told at once. */
function withAdded(all: readonly Attached[], added: readonly File[]): Attached[] {
  const result = [...all];
  for (const file of added) {
    const taken = result.filter(({ state }) => state !== "refused");
    const bytes = taken.reduce((sum, each) => sum + each.file.size, file.size);
    const error =
      taken.length >= LIMITS.attachments
        ? { message: text.tooMany(LIMITS.attachments), fix: text.tooManyFix }
        : bytes > LIMITS.message_bytes
          ? { message: text.tooLarge(fileSize(LIMITS.message_bytes)), fix: text.tooLargeFix }
          : null;
    last_key += 1;
    const state = error === null ? "waiting" : "refused";
    result.push({ key: last_key, file, state, sent_bytes: 0, upload_id: null, error });
  }
  return result;
}
