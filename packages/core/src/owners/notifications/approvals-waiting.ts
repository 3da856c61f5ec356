import { SENTENCES } from "../../catalogue/letter-frames.ts";
import { shownTime } from "../../catalogue/shown-time.ts";
import type { Letter } from "../../model/letters.ts";
import { type Block, layOut, oneLine } from "./layout.ts";

/** A request that waits, and the page on which it is decided. */
export interface WaitingRequest {
  summary: string;
  inbox_email: string;
  expires_at: string;
  url: string;
}

/** The letter that lists what waits for a person, when their agents ask more often than they can be written to. */
export function approvalsWaitingLetter({
  requests,
  more,
  host,
}: {
  requests: readonly WaitingRequest[];
  /** The number of further requests. */
  more: number;
  host: string;
}): Letter {
  const waiting = requests.length + more;
  const listed = requests.flatMap(({ summary, inbox_email, expires_at, url }): Block[] => [
    { kind: "quote", text: oneLine(summary) },
    { kind: "note", text: `Asked by ${inbox_email}. Expires on ${shownTime(expires_at)}.` },
    { kind: "pages", links: [{ label: "Review and decide", url }] },
  ]);
  return layOut({
    subject: `${waiting} ${waiting === 1 ? "request waits" : "requests wait"} for your decision`,
    from: { host },
    tone: "approval",
    blocks: [
      { kind: "heading", text: "Your agents wait for you" },
      { kind: "text", text: SENTENCES.approvals_waiting.what },
      ...listed,
      ...(more === 0 ? [] : [{ kind: "text" as const, text: `And ${more} more, which come later.` }]),
    ],
    footer: [{ kind: "note", text: SENTENCES.approvals_waiting.why }],
  });
}
