import { toDetail } from "./send-result.ts";

/** Longer ids are none that a mail could carry. */
const MAX_ID_CHARS = 200;
const ID_IN_BRACKETS = /<([\w.=-]{1,200})@[\w.-]{1,253}>/;
/** An id beside words such as "queued as": it has a digit, and is longer than the number of a queue. */
const BARE_ID = /^(?=\D{0,200}\d)[\w.=-]{16,200}$/;

/**
 * Returns the id under which a relay took a mail: a Message-ID in its reply, or its last word that has the form of an id,
 * as in `250 Ok 0100018c…-000000`. Some relays put it into the Message-ID.
 */
export function readRelayId(response: string): string | undefined {
  const reply = toDetail(response);
  const bracketed = ID_IN_BRACKETS.exec(reply)?.[1];
  return (
    bracketed ??
    reply.split(/[\s,;:()[\]<>"']+/).findLast((word) => word.length <= MAX_ID_CHARS && BARE_ID.test(word))
  );
}
