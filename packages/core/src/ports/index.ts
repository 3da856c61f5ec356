/**
 * What an adapter needs: the ports, the tables and shapes that cross them, and the small parts that adapters share. The
 * kits of `@letterslot/core/conformance` check that an adapter keeps each port's promises.
 */

export { type ErrorCode, fail, isErrorCode, LetterslotError } from "../catalogue/errors.ts";
export { LIMITS, MESSAGE_SIZE } from "../catalogue/limits.ts";
export type { TextKind } from "../model/attachments.ts";
export { isInNetworks, isPublicAddress, type Networks, networkList } from "../model/networks.ts";
export type { MailAddress, MailHeader, ParsedAttachment, ParsedMail } from "../model/parsed-mail.ts";
export type { Extraction, ReadingOptions, ReadMail, StatedFields } from "../model/read-mail.ts";
export type * from "../model/sender-facts.ts";
export {
  type Column,
  columnsOf,
  type RecordOf,
  type Table,
  type TableName,
  tables,
} from "../model/tables.ts";
export { isSameRecord, type ZoneRecord } from "../model/zone-record.ts";
export type * from "./blobs.ts";
export { type Clock, systemClock } from "./clock.ts";
export type * from "./content-scanner.ts";
export type * from "./content-worker.ts";
export { type Dns, isAbsent } from "./dns.ts";
export type * from "./dns-zone.ts";
export { createEventLoopLoad } from "./local/event-loop-load.ts";
export { createLocalQueue } from "./local/local-queue.ts";
export { createLocalSignals } from "./local/local-signals.ts";
export { type Log, silentLog } from "./log.ts";
export type * from "./mail-parser.ts";
export type * from "./objects.ts";
export type * from "./operator-mail.ts";
export type * from "./passkeys.ts";
export type * from "./picture-codes.ts";
export type * from "./queue.ts";
export type * from "./search.ts";
export type * from "./sender-auth.ts";
export type * from "./signals.ts";
export type * from "./storage.ts";
export * from "./telephony.ts";
export type * from "./text-extraction.ts";
export type * from "./transport.ts";
export type * from "./webhook-http.ts";
