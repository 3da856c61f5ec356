import { asciiLowerCase } from "./address.ts";

/** The part of a Message-ID before its domain, without the angle bracket. */
export const localPartOfId = (id: string): string => id.slice(id.startsWith("<") ? 1 : 0, domainAt(id));

/** A Message-ID in the form that is compared: some servers change the case of the domain. */
export const messageIdKey = (id: string): string =>
  `${id.slice(0, domainAt(id))}${asciiLowerCase(id.slice(domainAt(id)))}`;

/** Returns the position of the "@" before a Message-ID's domain. */
function domainAt(id: string): number {
  const at = id.lastIndexOf("@");
  return at < 0 ? id.length : at;
}
