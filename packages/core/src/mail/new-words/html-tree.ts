/**
 * An element, where it stands in the source, and what's in it. Only the attributes that the rules ask about
 * are kept.
 */
export interface HtmlElement {
  kind: "element";
  name: string;
  attributes: Record<string, string>;
  children: (HtmlElement | HtmlText)[];
  start: number;
  end: number;
}

/** A run of text, decoded, and where it stands in the source. */
export interface HtmlText {
  kind: "text";
  text: string;
  start: number;
  end: number;
}

/**
 * The element's classes in lower case, without the prefixes of those who quote: Outlook and Hotmail put "x_"
 * or "ecx" before the classes of others.
 */
export function classesOf(element: HtmlElement): string[] {
  return (element.attributes.class ?? "")
    .split(/\s+/)
    .map((name) => name.replace(/^(?:x_|ecx)+/, "").toLowerCase());
}

/** The element's id in lower case, without the "x_" that Outlook puts before ids in quoted mail. */
export function idOf(element: HtmlElement): string {
  return (element.attributes.id ?? "").replace(/^(?:x_|ecx)+/, "").toLowerCase();
}
