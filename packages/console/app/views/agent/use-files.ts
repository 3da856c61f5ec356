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
  /** Forgets the files of these uploads, which a message has by now. */
  clear(upload_ids: readonly string[]): void;
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
    add: (added) => setFiles((all) => judged([...all, ...[...added].map(asAttached)])),
    remove(key) {
      sending.current.get(key)?.abort();
      const upload_id = files.find((each) => each.key === key)?.upload_id;
      // What nobody takes back is gone after a day.
      if (upload_id != null) client.uploads.delete({ inbox_id, upload_id }).catch(() => undefined);
      setFiles((all) => judged(all.filter((each) => each.key !== key)));
    },
    again: (key) => change(key, { state: "waiting", sent_bytes: 0, error: null }),
    clear: (upload_ids) =>
      setFiles((all) =>
        judged(all.filter(({ upload_id }) => upload_id === null || !upload_ids.includes(upload_id))),
      ),
  };
}

const asAttached = (file: File): Attached => {
  last_key += 1;
  return { key: last_key, file, state: "waiting", sent_bytes: 0, upload_id: null, error: null };
};

/** The files, with those refused that a message can't have beside the ones before them. */
function judged(all: readonly Attached[]): Attached[] {
  let [count, bytes] = [0, 0];
  return all.map((each) => {
    const error =
      count >= LIMITS.attachments
        ? { message: text.tooMany(LIMITS.attachments), fix: text.tooManyFix }
        : bytes + each.file.size > LIMITS.message_bytes
          ? { message: text.tooLarge(fileSize(LIMITS.message_bytes)), fix: text.tooLargeFix }
          : null;
    const is_new = each.state === "waiting" || each.state === "refused";
    if (is_new && error !== null) return { ...each, state: "refused", error };
    count += 1;
    bytes += each.file.size;
    return each.state === "refused" ? { ...each, state: "waiting", error: null } : each;
  });
}
