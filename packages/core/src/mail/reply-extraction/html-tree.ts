/** An element, its position in the source and its children. Only attributes used by the rules are kept. */
export interface HtmlElement {
  kind: "element";
  name: string;
  attributes: Record<string, string>;
  children: (HtmlElement | HtmlText)[];
  start: number;
  end: number;
}

/** The shared `attributes` of elements without any: most elements of long mail. */
export const NO_ATTRIBUTES: Record<string, string> = Object.freeze({});

/** A run of decoded text and its position in the source. */
export interface HtmlText {
  kind: "text";
  text: string;
  start: number;
  end: number;
}

/**
 * The element's classes in lower case, without the prefixes "x_" and "ecx" that Outlook and Hotmail add to
 * quoted classes.
 */
export function classesOf(element: HtmlElement): string[] {
  const { class: names } = element.attributes;
  if (names === undefined) return [];
  return names.split(/\s+/).map((name) => name.replace(/^(?:x_|ecx)+/, "").toLowerCase());
}

/** The element's id in lower case, without the "x_" that Outlook adds to ids in quoted mail. */
export function idOf(element: HtmlElement): string {
  return (element.attributes.id ?? "").replace(/^(?:x_|ecx)+/, "").toLowerCase();
}
