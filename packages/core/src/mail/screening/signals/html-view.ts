import { Parser } from "htmlparser2";
import { hiddenAround, hidesBy, hidingClasses, type Paint, paintingClasses, paintOf } from "./html-hiding.ts";

/** A link in a mail: its target, the text it shows, and where it is. */
export interface MailLink {
  href: string;
  text: string;
  place: "the text" | "the HTML" | "a picture";
  /** The line below may continue it, so its end is unknown. */
  is_cut?: boolean;
}

/** The visible and hidden content of an HTML mail for its reader. */
export interface HtmlView {
  visible: string;
  /** Text in the HTML that isn't shown, and how it is hidden. */
  hidden: Array<{ text: string; how: string }>;
  /** The hidden text before the first that is shown, which mail programs show beside the subject. */
  preheader: string;
  links: MailLink[];
  form_targets: string[];
  asks_password: boolean;
  redirects: boolean;
  scripts: boolean;
  pictures: number;
  /** Links that are drawn as buttons. */
  buttons: number;
  /** Hosts that pictures are loaded from, each once. */
  picture_hosts: string[];
}

/** Links examined per mail. */
export const MAX_LINKS = 200;
/**
 * Nesting depth at which the parser is reset: its search for the element that a closing tag closes gets
 * slower with depth.
 */
export const MAX_DEPTH = 1_000;

const CHUNK_CHARS = 4_096;

const MAX_LINK_TEXT = 300;
const BLOCKS = new Set(
  "p div br tr td th li ul ol table h1 h2 h3 h4 h5 h6 blockquote section article header footer hr pre title".split(
    " ",
  ),
);
const VOID = new Set("area base br col embed hr img input link meta source track wbr".split(" "));
const SILENT = new Set(["style", "script", "head", "title", "noscript", "template"]);

/** The most picture hosts that are kept. */
const MAX_PICTURE_HOSTS = 20;
const PICTURE_HOST = /^\s{0,9}(?:https?:)?\/\/([\w.-]{1,253})/i;

/** Whether a link is drawn as a button: with its own background, or with a button's spacing and corners. */
function isButton(style: string | undefined, paint: Paint, around: Paint): boolean {
  if (paint.background !== around.background && paint.background !== "") return true;
  return style !== undefined && BUTTON.test(style.slice(0, MAX_BUTTON_STYLE));
}

const MAX_BUTTON_STYLE = 500;
const BUTTON = /(?:border-radius|padding)\s{0,3}:|display\s{0,3}:\s{0,3}inline-block/i;

interface Open {
  name: string;
  how: string | null;
  paint: Paint;
}

/** Reads HTML once, as a stream, without building a tree: cost is linear in depth and size. */
export function viewHtml(html: string): HtmlView {
  const view: HtmlView = {
    visible: "",
    hidden: [],
    preheader: "",
    links: [],
    form_targets: [],
    asks_password: false,
    redirects: false,
    scripts: false,
    pictures: 0,
    buttons: 0,
    picture_hosts: [],
  };
  const shown: string[] = [];
  const concealed = new Map<string, string[]>();
  const open: Open[] = [];
  const root: Open = { name: "", how: null, paint: { color: "black", background: "white" } };
  const hiding = new Map<string, string>();
  const painting = new Set<string>();
  let link: MailLink | null = null;
  let begun = false;
  const conceal = (how: string, text: string) => {
    if (text.trim() === "") return;
    const texts = concealed.get(how) ?? [];
    texts.push(text);
    concealed.set(how, texts);
  };
  const breakLine = (how: string | null) => {
    if (how === null) shown.push("\n");
    for (const texts of concealed.values()) if (texts.at(-1) !== "\n") texts.push("\n");
  };
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const parent = open.at(-1) ?? root;
        const paint = paintOf(name, attributes, parent.paint, painting);
        const how =
          hiddenAround(parent.how, attributes) ??
          (SILENT.has(name) ? "silent" : hidesBy(attributes, paint, hiding));
        if (BLOCKS.has(name)) breakLine(how);
        if (!VOID.has(name)) open.push({ name, how, paint });
        if (
          (name === "a" || name === "area") &&
          attributes["href"] !== undefined &&
          view.links.length < MAX_LINKS
        ) {
          link = { href: attributes["href"], text: "", place: "the HTML" };
          view.links.push(link);
          if (isButton(attributes["style"], paint, parent.paint)) view.buttons += 1;
        }
        if (name === "img") {
          view.pictures += 1;
          const host = PICTURE_HOST.exec(attributes["src"] ?? "")?.[1]?.toLowerCase();
          if (
            host !== undefined &&
            view.picture_hosts.length < MAX_PICTURE_HOSTS &&
            !view.picture_hosts.includes(host)
          )
            view.picture_hosts.push(host);
          if (attributes["alt"]) conceal("an image's alternative text", attributes["alt"]);
        }
        if (attributes["title"]) conceal("a tooltip", attributes["title"]);
        if (name === "form" && attributes["action"]) view.form_targets.push(attributes["action"]);
        if (name === "input" && /^(?:password|hidden-password)$/i.test(attributes["type"] ?? ""))
          view.asks_password = true;
        if (
          name === "meta" &&
          /^refresh$/i.test(attributes["http-equiv"] ?? "") &&
          /url/i.test(attributes["content"] ?? "")
        )
          view.redirects = true;
        if (name === "script") view.scripts = true;
      },
      onclosetag(name) {
        if (name === "a") link = null;
        if (VOID.has(name)) return;
        const closed = open.pop();
        if (BLOCKS.has(name) && closed !== undefined) breakLine(closed.how);
      },
      ontext(text) {
        const inside = open.at(-1) ?? root;
        if (inside.name === "style") {
          for (const [name, how] of hidingClasses(text)) hiding.set(name, how);
          for (const name of paintingClasses(text)) painting.add(name);
        }
        if (inside.how === null) {
          shown.push(text);
          begun ||= /[\p{L}\p{N}]/u.test(text);
        } else if (inside.how !== "silent") {
          conceal(inside.how, text);
          if (!begun) view.preheader += text;
        }
        if (link !== null && link.text.length < MAX_LINK_TEXT) link.text += text.slice(0, MAX_LINK_TEXT);
      },
      oncomment(text) {
        if (!/^\[(?:if|endif)/i.test(text.trim())) conceal("an HTML comment", text);
      },
    },
    { decodeEntities: true },
  );
  for (let at = 0; at < html.length; at += CHUNK_CHARS) {
    parser.write(html.slice(at, at + CHUNK_CHARS));
    if (open.length <= MAX_DEPTH) continue;
    parser.reset();
    open.length = 0;
  }
  parser.end();
  view.visible = shown.join("");
  view.hidden = Array.from(concealed, ([how, texts]) => ({
    how,
    text: texts.join(how === "a tooltip" || how.startsWith("an ") ? "\n\n" : ""),
  }));
  return view;
}
