import { fail } from "../../catalogue/errors.ts";
import type { CallerType } from "../../kernel/access/caller.ts";
import type { MessageRecord } from "../../model/messages.ts";
import { isWhollyDirect } from "../../model/outbound.ts";

/** Links open pages that are like any other. */
const POPUPS = "allow-popups allow-popups-to-escape-sandbox";

/** The headers under which a mail is shown: nothing in it can run, ask for anything or, unless links open, lead away. */
export const viewHeaders = ({ links_open }: { links_open: boolean }): Record<string, string> => ({
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": `sandbox${links_open ? ` ${POPUPS}` : ""}; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'`,
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  // Browsers look up the hosts of links before they are followed, which no policy stops.
  "X-DNS-Prefetch-Control": "off",
  "Cache-Control": "no-store",
});

/** A mail whose remote images somebody asks for. */
type Asked = Pick<MessageRecord, "direction" | "labels" | "auth"> & {
  /** Whether it came from an inbox of the same root account, or from the service itself. */
  own: boolean;
};

/** The mail's inbox and the one that sent it, if one of the same root account did; undefined for one that is gone. */
type Inboxes = readonly (Parameters<typeof isWhollyDirect>[0] | undefined)[];

/**
 * Checks that the remote images of a mail may be fetched: a person asks for it, and the mail came from outside, or all of
 * its inboxes could send it as it is. A fetch is a way out, and keys write what they inject or send. Fails with
 * `remote_images_refused`.
 */
export function checkMayFetch(
  caller: CallerType,
  { direction, labels, auth, own }: Asked,
  inboxes: Inboxes,
): void {
  if (caller !== "owner") throw fail("remote_images_refused", { param: "images" });
  const by_key = own || direction === "outbound" || labels.includes("injected") || auth?.imported === true;
  if (by_key && !inboxes.every((inbox) => inbox !== undefined && isWhollyDirect(inbox)))
    throw fail("remote_images_refused", {
      param: "images",
      message:
        "The mail was written or brought in with a key, and mail of its inbox, or of the inbox that sent it, may wait for a person: its remote images could carry words out.",
      fix: 'Ask with images "none".',
    });
}

const SIGNATURES: readonly (readonly [type: string, pattern: RegExp])[] = [
  ["image/png", /^\x89PNG\r\n\x1a\n/],
  ["image/jpeg", /^\xff\xd8\xff/],
  ["image/gif", /^GIF8[79]a/],
  ["image/webp", /^RIFF[^]{4}WEBP/],
];
/** The bytes that tell a picture's type. */
export const SIGNATURE_BYTES = 12;

/** The type of a picture by its bytes, whatever its sender calls it; undefined if it is none that is shown. */
export function pictureType(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, SIGNATURE_BYTES)).toString("latin1");
  return SIGNATURES.find(([, pattern]) => pattern.test(start))?.[0];
}
