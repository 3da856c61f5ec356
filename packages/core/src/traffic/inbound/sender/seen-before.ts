import { hash as digest } from "node:crypto";
import { LIMITS } from "../../../catalogue/limits.ts";
import type { Services } from "../../../kernel/context.ts";
import type { Work } from "../../../kernel/work.ts";
import type { Proof } from "../../../mail/sender/proof.ts";
import { iso } from "../../../model/fields.ts";
import type { SeenSignatureRecord } from "../../../model/seen-signatures.ts";

const MAX_SIGHTINGS_READ = 200;
/** Nearly always there are fewer, and storages read a few rows together with what other mails look up. */
const FEW_SIGHTINGS = 20;

/** The place where a mail arrives: an inbox or a letter's reply address, and whether its author named it. */
export interface Place {
  id: string;
  named: boolean;
}

/** Earlier sightings of a mail's signatures and of its author's Message-ID. */
export interface Sightings {
  signatures: SeenSignatureRecord[];
  message_ids: SeenSignatureRecord[];
}

/** Nothing was seen before. */
export const UNSEEN: Sightings = { signatures: [], message_ids: [] };

/** The hashes that identify a mail: its signatures, and its author's Message-ID where that is authenticated. */
export interface Marks {
  signatures: readonly string[];
  message_id: readonly string[];
}

/** Returns the marks of a mail from outside. Only a proven person's Message-ID is one: anybody can write any. */
export function marksOf(proof: Proof): Marks {
  if (proof.kind === "inbox") return { signatures: [], message_id: [] };
  const signatures = proof.signatures.map(({ signature }) => hash(`b ${signature}`));
  if (proof.kind === "none" || proof.message_id === null) return { signatures, message_id: [] };
  return { signatures, message_id: [hash(`id ${proof.author} ${proof.message_id}`)] };
}

/** Looks up earlier sightings of a mail's signatures or its author's Message-ID, by any channel. */
export async function lookUpSightings(
  { storage }: Pick<Services, "storage">,
  { signatures, message_id }: Marks,
): Promise<Sightings> {
  const hashes = [...signatures, ...message_id];
  if (hashes.length === 0) return UNSEEN;
  const read = (limit: number) => storage.find("seen_signatures", { where: { hash: { in: hashes } }, limit });
  const few = await read(FEW_SIGHTINGS);
  const found = few.length < FEW_SIGHTINGS ? few : await read(MAX_SIGHTINGS_READ);
  if (found.length === 0) return UNSEEN;
  return {
    signatures: found.filter(({ hash }) => signatures.includes(hash)),
    message_ids: found.filter(({ hash }) => message_id.includes(hash)),
  };
}

/** The sightings at other places than these. */
export function withoutPlaces({ signatures, message_ids }: Sightings, places: readonly Place[]): Sightings {
  const isOther = ({ place }: SeenSignatureRecord) => places.every(({ id }) => id !== place);
  return { signatures: signatures.filter(isOther), message_ids: message_ids.filter(isOther) };
}

/**
 * Remembers a mail by its marks at these places, in the transaction that stores it, unless it was `known` there. A
 * mail that is neither signed nor authenticated has no marks: they would let anybody block the genuine mail.
 */
export function recordSightings(
  work: Work,
  { marks, places, known }: { marks: Marks; places: readonly Place[]; known: Sightings },
  now: Date,
): void {
  const expires_at = iso(new Date(now.getTime() + LIMITS.signatures_seen_ms));
  const before = [...known.signatures, ...known.message_ids];
  for (const hash of [...marks.signatures, ...marks.message_id]) {
    for (const { id, named } of places) {
      if (before.some((each) => each.hash === hash && each.place === id)) continue;
      work.require(work.insert("seen_signatures", { hash, place: id, named, expires_at }));
    }
  }
}

const hash = (text: string): string => digest("sha256", text, "base64url");
