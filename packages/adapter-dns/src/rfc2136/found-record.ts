import type { ZoneRecord } from "@letterslot/core/ports";
import type { Answer } from "dns-packet";
import { type TypeName, txtData, uint16s, wireName } from "./wire.ts";

/** A record as the server has it: its data byte for byte, since a text can be cut into strings in many ways. */
export interface FoundRecord {
  record: ZoneRecord;
  data: Buffer | undefined;
  ttl: number;
}

/** The TTL of a record whose name and type have no other. */
export const TTL_SECONDS = 300;

/** Whether a name is this one, which is in lower case. */
export const sameName = (one: string, other: string) => one.toLowerCase() === other;

/** Returns an answer as a record, if it has this name and type: a server also adds the target of a CNAME. */
export function foundRecord(answer: Answer, name: string, type: TypeName): FoundRecord[] {
  if (answer.type !== type || !sameName(answer.name, name)) return [];
  const ttl = "ttl" in answer ? (answer.ttl ?? TTL_SECONDS) : TTL_SECONDS;
  const found = (value: string, priority: number | null, data: Buffer | undefined): FoundRecord[] => [
    { record: { name, type, value, priority }, data, ttl },
  ];
  if (answer.type === "TXT") {
    const strings = [answer.data].flat().map((string) => Buffer.from(string));
    return found(Buffer.concat(strings).toString("utf8"), null, txtData(strings));
  }
  if (answer.type === "MX") {
    const { exchange, preference = 0 } = answer.data;
    return found(hostOf(exchange), preference, Buffer.concat([uint16s(preference), wireName(exchange)]));
  }
  if (answer.type === "CNAME") return found(hostOf(answer.data), null, wireName(answer.data));
  return found(typeof answer.data === "string" ? answer.data : "", null, undefined);
}

const hostOf = (name: string) => name.toLowerCase().replace(/\.$/, "");
