import { headerBlockAt, unlabelledBlockAt } from "./header-block.ts";
import { isBlank, type Line } from "./line.ts";
import { markerFrom } from "./markers.ts";

/** Subject prefixes of forwarded mail, in many languages. */
const PREFIXES: readonly string[] = [
  "fw",
  "fwd",
  "wg",
  "tr",
  "rv",
  "enc",
  "i",
  "fs",
  "vs",
  "vb",
  "doorst",
  "vl",
  "pd",
  "továbbítás",
  "ilt",
  "πρθ",
  "переслать",
  "пересл",
  "转发",
  "轉寄",
  "转寄",
  "転送",
  "전달",
];
const PREFIX = new RegExp(`^\\s*\\[?(?:${PREFIXES.join("|")})(?:\\[\\d+\\])?\\s?[:：]`, "i");
const POINTERS =
  /^(?:fyi|f\.y\.i\.?|for your information|(?:please )?see (?:below|the mail below)|below|zur info(?:rmation)?|zk|z\.k\.|s\.u\.|siehe unten|pour info(?:rmation)?|voir ci-dessous|para su información|para tu información|ver abajo|para conhecimento|per conoscenza|ter info(?:rmatie)?|zie onder|til orientering|för kännedom|tiedoksi|do wiadomości|к сведению|bilgi için|bilginize|ご参考まで|供参考|참고)[ .!:]*$/;
const LINES_LOOKED_AT = 400;

/** Whether a subject begins as that of forwarded mail does. */
export const saysForward = (subject: string): boolean => PREFIX.test(subject.slice(0, 60));

/**
 * Whether the mail forwards another one: its subject says so and the forwarded mail is present, or it says no
 * more than "FYI" above one. A reply to a forward starts with "Re:" and is a reply.
 */
export function isForward(subject: string, lines: readonly Line[]): boolean {
  const said = saysForward(subject);
  const top: string[] = [];
  for (let at = 0; at < lines.length && at < LINES_LOOKED_AT; at += 1) {
    const line = lines[at] as Line;
    if (isBlank(line)) continue;
    if (
      markerFrom(lines, at) !== null ||
      line.history ||
      headerBlockAt(lines, at) ||
      unlabelledBlockAt(lines, at)
    )
      return said || POINTERS.test(top.join(" "));
    if (top.length < 2) top.push(line.bare);
    if (!said && top.length > 1) return false;
  }
  return false;
}
