import { FORWARDED_HEADER } from "../../catalogue/letter-words.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import type { Services } from "../../kernel/context.ts";
import { sameSecret } from "../../kernel/secrets.ts";
import type { ForwardingRecord } from "../../model/forwardings.ts";
import type { ParsedMail } from "../../model/parsed-mail.ts";

const NAME = FORWARDED_HEADER.toLowerCase();
const PURPOSE = "forwarded mail";
const MAC_CHARS = 20;
const MARK = /^[\w.-]{1,100}$/;
/** More marks than any mail has that hasn't gone round. */
const MAX_READ = 20;

/** Facts about a mail's way here, by its marks. */
export interface Marks {
  /** The marks of all services that forwarded it, newest first. */
  all: readonly string[];
  /** The inboxes here that forwarded it: only this service can have made their marks. */
  inbox_ids: readonly string[];
}

/** Reads the marks in a mail's header; those that are none count for nothing. */
export function readMarks({ seal }: Pick<Services, "seal">, values: readonly string[]): Marks {
  const all = values
    .flatMap((value) => value.trim().split(/\s+/, MAX_READ))
    .filter((mark) => MARK.test(mark))
    .slice(0, MAX_READ);
  const inbox_ids = all.flatMap((mark) => {
    const [inbox_id = "", forwarding_id = "", mac = ""] = mark.split(".");
    const right = seal
      .macs(PURPOSE, `${inbox_id}.${forwarding_id}`)
      .some((each) => sameSecret(each.slice(0, MAC_CHARS), mac));
    return right ? [inbox_id] : [];
  });
  return { all, inbox_ids };
}

/** Whether a mail was forwarded by this inbox before, so that it has come back. */
export function cameBack(
  services: Pick<Services, "seal">,
  inbox_id: string,
  { headers }: Pick<ParsedMail, "headers">,
): boolean {
  const values = headers.flatMap(({ name, value }) => (name === NAME ? [value] : []));
  return values.length > 0 && readMarks(services, values).inbox_ids.includes(inbox_id);
}

/** Whether a mail was forwarded by this service before, or by more services than a mail has reason to pass. */
export const wentRound = ({ all, inbox_ids }: Marks): boolean =>
  inbox_ids.length > 0 || all.length >= LIMITS.forwarding_hops;

/** The header of a mail that a forwarding sends: our mark, and those that it came with. */
export function markHeader(
  { seal }: Pick<Services, "seal">,
  { id, inbox_id }: Pick<ForwardingRecord, "id" | "inbox_id">,
  { all }: Marks,
): Record<string, string> {
  const named = `${inbox_id}.${id}`;
  const own = `${named}.${seal.mac(PURPOSE, named).slice(0, MAC_CHARS)}`;
  return { [FORWARDED_HEADER]: [own, ...all].join(" ") };
}
