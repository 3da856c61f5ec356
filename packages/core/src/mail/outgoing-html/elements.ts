import type { HtmlChange } from "../../model/drafts.ts";

/** The treatment of an element: sent as an element of this name, as its content alone, or not at all. */
export interface Treatment {
  name?: string;
  drop?: boolean;
  /** The change that a reader notices; undefined when there is none. */
  change?: HtmlChange;
}

const TREATMENTS: ReadonlyMap<string, Treatment> = new Map([
  ...same(
    "a b blockquote br code em h1 h2 h3 h4 h5 h6 hr i li ol p pre small span strong sub sup table td tr u ul",
  ),
  ...as(
    "div",
    "address article aside body center dd div dl dt figcaption figure footer header hgroup main nav section",
  ),
  ...as("ul", "dir menu"),
  ...as("pre", "listing xmp"),
  ...as("td", "caption th"),
  ...as("span", "font"),
  ...as("code", "tt"),
  ...as("div", "details dialog summary", "elements"),
  ...as("div", "fieldset form legend optgroup option textarea", "forms"),
  ...content(
    "abbr acronym bdi cite colgroup data dfn html kbd mark nobr noscript q samp tbody tfoot thead time var wbr",
  ),
  ...content("button datalist label output select", "forms"),
  ...without("head meta title"),
  ...without("script", "scripts"),
  ...without("style link", "style_sheets"),
  ...without("input", "forms"),
  ...without(
    "applet audio base bgsound canvas col embed frame frameset iframe math meter noembed noframes object param progress source svg template track video",
    "media",
  ),
]);

/** Returns the treatment of an element. Unknown elements are reduced to their content. */
export const treatmentOf = (name: string): Treatment => TREATMENTS.get(name) ?? UNKNOWN;

const UNKNOWN: Treatment = { change: "elements" };

function same(names: string): [string, Treatment][] {
  return names.split(" ").map((name) => [name, { name }]);
}

function as(name: string, names: string, change?: HtmlChange): [string, Treatment][] {
  return names.split(" ").map((given) => [given, { name, ...(change && { change }) }]);
}

function content(names: string, change?: HtmlChange): [string, Treatment][] {
  return names.split(" ").map((given) => [given, { ...(change && { change }) }]);
}

function without(names: string, change?: HtmlChange): [string, Treatment][] {
  return names.split(" ").map((given) => [given, { drop: true, ...(change && { change }) }]);
}
