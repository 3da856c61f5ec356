import { headerBlockAt, unlabelledBlockAt } from "./header-block.ts";
import { isBlank, type Line, nextFilled } from "./line.ts";
import { markerFrom } from "./markers.ts";
import { replyHeaderAt } from "./reply-header.ts";

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
/** The tags that lists and gateways put before a subject: "[plans]", "(ext)", "*External*", "EXTERNAL:". */
const TAGS =
  "(?:\\s*(?:\\[[^\\]]{1,40}\\]|\\([^)]{1,40}\\)|\\{[^}]{1,40}\\}|<[^>]{1,40}>|\\*+[^*]{1,40}\\*+|(?:external|extern[aeo]?|ext|esterno|spam|caution)\\s?[:：]))*\\s*";
const PREFIX = startOf(PREFIXES);
const POINTERS =
  /^(?:fyi|f\.y\.i\.?|for your information|(?:please )?see (?:below|the mail below)|below|zur info(?:rmation)?|zk|z\.k\.|s\.u\.|siehe unten|pour info(?:rmation)?|voir ci-dessous|para su información|para tu información|ver abajo|para conhecimento|per conoscenza|ter info(?:rmatie)?|zie onder|til orientering|för kännedom|tiedoksi|do wiadomości|к сведению|bilgi için|bilginize|ご参考まで|供参考|참고)[ .!:]*$/;
/** The maximum length of a subject's tags and prefix. */
const MAX_PREFIX_CHARS = 150;
const LINES_LOOKED_AT = 400;

/** Whether a subject begins like that of a forwarded mail. */
export const saysForward = (subject: string): boolean => PREFIX.test(subject.slice(0, MAX_PREFIX_CHARS));

/** Subject prefixes of replies: below these, a forwarded mail is part of the history. */
const REPLIES =
  "re aw sv vs ref rif r res antw betr odp vá rép bls ynt cev bal atb ang απ σχετ на отв ответ відп رد השב تعقيب 回复 答复 回覆 答覆 返信 회신 답장".split(
    " ",
  );
const REPLY = startOf(REPLIES);

/**
 * Whether the mail forwards another one: its subject says so and the forwarded mail is present; or the first thing
 * below the writer's own words is a client's marker of a forwarded mail, and the subject is there and isn't a reply's;
 * or it says no more than "FYI" above one. A forward is kept whole: the writer's words, the marker and everything after
 * it.
 */
export function isForward(subject: string, lines: readonly Line[]): boolean {
  const said = saysForward(subject);
  if (!said && isOwnSubject(subject) && marksForward(lines)) return true;
  const top: string[] = [];
  for (let at = 0; at < lines.length && at < LINES_LOOKED_AT; at += 1) {
    const line = lines[at] as Line;
    if (isBlank(line)) continue;
    if (startsHistory(lines, at)) return said || POINTERS.test(top.join(" "));
    if (top.length < 2) top.push(line.bare);
    if (!said && top.length > 1) return false;
  }
  return false;
}

// Whether a mail's subject is its own. Forwarding always creates a subject, so a mail without one proves nothing.
const isOwnSubject = (subject: string): boolean =>
  subject.trim() !== "" && !REPLY.test(subject.slice(0, MAX_PREFIX_CHARS));

/** Whether a mail says neither by its headers nor by its subject that it answers one. */
export const answersNone = ({ subject, is_reply }: { subject: string; is_reply: boolean }): boolean =>
  !is_reply && isOwnSubject(subject);

/** Whether a client's marker of a forwarded mail is the first sign of another mail. */
function marksForward(lines: readonly Line[]): boolean {
  const looked = lines.slice(0, LINES_LOOKED_AT);
  const marker = looked.findIndex((line, at) => !line.quoted && markerFrom(lines, at) === "forward");
  if (marker < 0) return false;
  return !looked
    .slice(0, marker)
    .some((line, at) => line.quoted || startsHistory(lines, at) || replyHeaderAt(lines, at) > 0);
}

/**
 * Whether a mail that answers none, by its headers and its subject, continues with another mail's header: then it
 * forwards that mail, though nothing says so. `keep` is the rest of it.
 */
export function forwardsSilently(
  mail: { subject: string; is_reply: boolean },
  lines: readonly Line[],
  keep: readonly boolean[],
): boolean {
  if (!answersNone(mail)) return false;
  const cut = keep.indexOf(false);
  const at = nextFilled(lines, cut);
  return (
    cut >= 0 && (markerFrom(lines, at) !== null || headerBlockAt(lines, at) || unlabelledBlockAt(lines, at))
  );
}

function startOf(prefixes: readonly string[]): RegExp {
  return new RegExp(`^${TAGS}\\[?(?:${prefixes.join("|")})(?:\\[\\d+\\])?\\s?[:：]`, "i");
}

const startsHistory = (lines: readonly Line[], at: number): boolean =>
  markerFrom(lines, at) !== null ||
  lines[at]?.history === true ||
  headerBlockAt(lines, at) ||
  unlabelledBlockAt(lines, at);
