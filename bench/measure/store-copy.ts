import { constants, cpSync } from "node:fs";
import { join } from "node:path";
import type { Store } from "../mail/store.ts";

/**
 * A copy of a store in a folder, to write to; its parts are shared with the original where the file system
 * can do that.
 */
export function copyOfStore(store: Store, folder: string): Store {
  const copy = join(folder, String(store.mails));
  cpSync(store.folder, copy, { recursive: true, mode: constants.COPYFILE_FICLONE });
  return { ...store, folder: copy };
}
