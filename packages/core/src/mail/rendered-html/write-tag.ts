import { quietCss } from "./css.ts";
import { isPlainAttribute } from "./elements.ts";
import { PICTURE_MARK, type Pictures } from "./pictures.ts";
import { candidatesOf, linkOf } from "./rules.ts";
import type { Tag } from "./tag-reader.ts";

/** An attribute: its name in lower case and its value without character references. */
type Attribute = [name: string, value: string];

/** Inputs that show something without taking any words: mail that is made of style alone opens and closes with them. */
const SWITCHES = /^(?:checkbox|radio)$/i;

/** The opening tag of an element, with the attributes that a mail may have. */
export function writeTag(name: string, given: Tag["attributes"], pictures: Pictures): string {
  const kept = [...given].flatMap(([attribute, value]) =>
    keptAttribute(name, [attribute, unmarked(value)], pictures),
  );
  if (name === "source" && !kept.some(([attribute]) => attribute === "srcset")) return "";
  if (name === "input" && !SWITCHES.test(given.get("type") ?? "")) kept.push(["disabled", ""]);
  return `<${name}${kept.map(([attribute, value]) => ` ${attribute}="${escapeAttribute(value)}"`).join("")}>`;
}

function keptAttribute(element: string, [name, value]: Attribute, pictures: Pictures): Attribute[] {
  if (name === "style") return [[name, quietCss(value, pictures)]];
  if (name === "href") return element === "a" || element === "area" ? linked(value) : [];
  if (name === "background" || (name === "src" && element === "img")) {
    const shown = pictures.show(value);
    return shown === undefined ? [] : [[name, shown]];
  }
  if (name === "srcset") return element === "img" || element === "source" ? setOf(value, pictures) : [];
  return isPlainAttribute(name) ? [[name, value]] : [];
}

/** A link that opens a page of its own, which learns nothing of this one. */
function linked(value: string): Attribute[] {
  const link = linkOf(value);
  if (link === undefined) return [];
  const away: Attribute[] = [
    ["target", "_blank"],
    ["rel", "noopener noreferrer"],
  ];
  return [["href", link.href], ...(link.leaves ? away : [])];
}

function setOf(value: string, pictures: Pictures): Attribute[] {
  const shown = candidatesOf(value).flatMap(({ url, descriptor }) => {
    const source = pictures.show(url);
    return source === undefined ? [] : [`${source} ${descriptor}`.trim()];
  });
  return shown.length === 0 ? [] : [["srcset", shown.join(", ")]];
}

/** A value between double quotes. */
export const escapeAttribute = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** A value without the character that marks pictures. */
export const unmarked = (value: string): string => value.replaceAll(PICTURE_MARK, "");
