import { BASE_URL } from "../api/caller.ts";

/** How long the address of a view is fresh: it is good for five minutes, and asked for anew before that. */
export const VIEW_FRESH_MS = 4 * 60_000;

/** A mail as its author laid it out, at the address of a view, in a frame in which nothing runs. */
export function MailFrame({ url, title }: { url: string; title: string }) {
  return (
    <iframe
      title={title}
      src={`${BASE_URL}/view/${url.split("/view/").at(-1)}`}
      class="h-[70vh] max-h-[48rem] w-full rounded-lg border border-line bg-white"
    />
  );
}
