import { isUtf8 } from "node:buffer";

/** A media type with its parameters (RFC 2045, section 5.1). */
export interface MediaType {
  /** In lower case, such as `text/calendar`. */
  type: string;
  /** By name in lower case. */
  parameters: Record<string, string>;
}

const MAX_PARAMETERS = 20;
const MAX_VALUE_CHARS = 200;
const TYPE = /^([\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100})[ \t]*(?:;|$)/;
/** A name, and a value that is a token or is quoted; printable ASCII alone. */
const PARAMETER =
  /[ \t]*([\w!#$&^.+-]{1,60})=(?:"((?:[ !#-[\]-~]|\\[ -~])*)"|([\w!#$%&'*+.^`|{}~-]+))[ \t]*(?:;|$)/y;

/**
 * Reads a media type as callers give it. Undefined when it is malformed: a parameter twice or without a value, too many
 * of them, or characters that a header can't have. `boundary` is the composer's, and `name` is written from the file's
 * name: both are left out.
 */
export function readMediaType(text: string): MediaType | undefined {
  const [head = "", type] = TYPE.exec(text) ?? [];
  if (type === undefined) return undefined;
  const found = new Map<string, string>();
  PARAMETER.lastIndex = head.length;
  while (PARAMETER.lastIndex < text.trimEnd().length) {
    const [, name, quoted, token] = PARAMETER.exec(text) ?? [];
    if (name === undefined) return undefined;
    const value = token ?? (quoted ?? "").replace(/\\(.)/g, "$1");
    if (value.length > MAX_VALUE_CHARS || found.has(name.toLowerCase()) || found.size === MAX_PARAMETERS)
      return undefined;
    found.set(name.toLowerCase(), value);
  }
  for (const name of ["boundary", "name"]) found.delete(name);
  return { type: type.toLowerCase(), parameters: Object.fromEntries(found) };
}

/** Writes a media type as a header has it. */
export const mediaTypeText = ({ type, parameters }: MediaType): string =>
  [type, ...Object.entries(parameters).map(([name, value]) => `${name}=${quotedIfNeeded(value)}`)].join("; ");

const quotedIfNeeded = (value: string): string =>
  /^[\w.+-]+$/.test(value) ? value : `"${value.replace(/["\\]/g, "\\$&")}"`;

/** Names that a received attachment keeps; those of the file and of the composer have a place of their own. */
const KEPT_NAME = /^(?!(?:boundary|name|filename)$)[a-z][a-z0-9-]{0,30}$/;
/** Values that can hold neither a secret of a letter nor a code. */
const KEPT_VALUE = /^(?:iso-8859-1\d|(?!(?:\D*\d){6})[\w.:/-]{1,38})$/i;
const MAX_KEPT = 10;

/** The parameters of a received attachment that are kept, such as `method` and `charset`; undefined without any. */
export function keptParameters(parameters: ReadonlyMap<string, string>): Record<string, string> | undefined {
  const kept = [...parameters]
    .filter(([name, value]) => KEPT_NAME.test(name) && KEPT_VALUE.test(value))
    .slice(0, MAX_KEPT);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/** How much of a calendar file is read for its method, which stands before its first event. */
const MAX_CALENDAR_BYTES = 65_536;

/**
 * The parameters with which a file is sent: a calendar file's `method` is the one that it states (RFC 6047), without
 * which mail programs show no invitation, and what isn't ASCII in it is said to be UTF-8.
 */
export function parametersToSend({ type, parameters }: MediaType, bytes: Uint8Array): Record<string, string> {
  if (type !== "text/calendar") return parameters;
  const head = Buffer.from(bytes.subarray(0, MAX_CALENDAR_BYTES)).toString("latin1");
  const stated = /^METHOD(?:;[^\r\n:]{0,200})?:([A-Za-z-]{1,30})[ \t]*\r?$/im.exec(head)?.[1];
  const is_ascii = bytes.every((byte) => byte < 0x80);
  return {
    ...(stated === undefined ? {} : { method: stated.toUpperCase() }),
    ...(is_ascii || !isUtf8(bytes) ? {} : { charset: "utf-8" }),
    ...parameters,
  };
}
