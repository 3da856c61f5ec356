import { shown } from "./shown.ts";

/** Saves bytes as a file on the reader's device. Its name can't look like another one there. */
export function saveFile(bytes: Uint8Array | Blob, name: string, type: string): void {
  const url = URL.createObjectURL(new Blob([bytes as BlobPart], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = shown(name);
  link.click();
  // The browser has taken it by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
