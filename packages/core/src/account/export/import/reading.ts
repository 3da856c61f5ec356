/** Reads the archive of an account's export, without a service or storage: what a thread loads that does no more. */

export { ArchiveError } from "../archive.ts";
export { type AccountArchive, openArchive } from "./read-archive.ts";
