import { constants, cpSync } from "node:fs";
import { join } from "node:path";
import type { Store } from "../mail/store.ts";

/** Copies a store so that it can be written to; a copy-on-write clone where the file system supports it. */
export function copyStore(store: Store, folder: string): Store {
  const copy = join(folder, String(store.mails));
  cpSync(store.folder, copy, { recursive: true, mode: constants.COPYFILE_FICLONE });
  return { ...store, folder: copy };
}
