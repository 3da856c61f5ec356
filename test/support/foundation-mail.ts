import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const FOLDER = dirname(createRequire(import.meta.url).resolve("foundation-emails/package.json"));

/** The names of the templates of Foundation for Emails. */
export const foundationTemplates = (): string[] => readdirSync(join(FOLDER, "templates")).sort();

/** A template as it would be sent: with its style sheet, and with tables for the tags of its own language. */
export function foundationMail(name: string): string {
  const css = readFileSync(join(FOLDER, "dist", "foundation-emails.css"), "utf8");
  const source = readFileSync(join(FOLDER, "templates", name), "utf8").replace(/<!--[\s\S]*?-->/g, "");
  return `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">
<html><head><meta charset="utf-8"><title>${name}</title><style>${css}</style></head><body>
<table class="body" data-made-with-foundation><tr><td class="float-center" align="center" valign="top"><center>
${withTables(source)}
</center></td></tr></table></body></html>`;
}

interface Tag {
  name: string;
  attributes: Record<string, string>;
}

/** Replaces the tags of the templates' language, as its compiler does. */
function withTables(source: string): string {
  const columns = columnCounts(source);
  const open: string[] = [];
  const rows: { count: number; at: number }[] = [];
  let centered = 0;
  return source.replace(
    /<(\/?)([a-z][\w-]*)([^>]*?)\/?>/g,
    (written, slash: string, name: string, rest: string) => {
      if (name === "center") centered += slash === "" ? 1 : -1;
      if (slash !== "") {
        if (name === "row") rows.pop();
        return CLOSING[name] ?? (name === "item" ? "</a></th>" : written);
      }
      open.push(name);
      const attributes = attributesOf(rest);
      if (name === "row") rows.push({ count: columns.shift() ?? 1, at: 0 });
      const row = rows.at(-1);
      if (name === "columns" && row !== undefined) row.at += 1;
      return opening({ name, attributes }, row, centered > 0) ?? written;
    },
  );
}

const CLOSING: Readonly<Record<string, string>> = {
  button: '</a></td></tr></table></td><td class="expander"></td></tr></table>',
  callout: '</th><th class="expander"></th></tr></table>',
  columns: '</th><th class="expander"></th></tr></table></th>',
  container: "</td></tr></tbody></table>",
  menu: "</tr></table></td></tr></table>",
  row: "</tr></tbody></table>",
  spacer: "",
  wrapper: "</td></tr></table>",
};

function opening(
  { name, attributes }: Tag,
  row: { count: number; at: number } | undefined,
  centered: boolean,
) {
  const { class: classes = "", href = "#", size = "16", large, small = "12" } = attributes;
  const center = centered ? ' align="center"' : "";
  const float = centered ? " float-center" : "";
  switch (name) {
    case "container":
      return `<table align="center" class="container ${classes}${float}"><tbody><tr><td>`;
    case "row":
      return `<table class="row ${classes}"><tbody><tr>`;
    case "columns": {
      const { count = 1, at = 1 } = row ?? {};
      const edges = `${at === 1 ? " first" : ""}${at === count ? " last" : ""}`;
      return `<th class="small-${small} large-${large ?? Math.floor(12 / count)} columns ${classes}${edges}"><table><tr><th>`;
    }
    case "spacer":
      return `<table class="spacer ${classes}"><tbody><tr><td height="${size}" style="font-size:${size}px;line-height:${size}px;">&nbsp;</td></tr></tbody></table>`;
    case "button":
      return `<table class="button ${classes}${float}"><tr><td><table><tr><td><a${center} href="https://example.com/${href.replace(/\W/g, "")}">`;
    case "callout":
      return `<table class="callout"><tr><th class="callout-inner ${classes}">`;
    case "wrapper":
      return `<table class="wrapper ${classes}" align="center"><tr><td class="wrapper-inner">`;
    case "menu":
      return `<table class="menu ${classes}${float}"${center}><tr><td><table><tr>`;
    case "item":
      return `<th class="menu-item${float}"><a href="https://example.com/${href.replace(/\W/g, "")}">`;
    default:
      return undefined;
  }
}

/** How many columns each row has, in the order in which the rows begin. */
function columnCounts(source: string): number[] {
  const counts: number[] = [];
  const open: number[] = [];
  for (const [, slash, name] of source.matchAll(/<(\/?)(row|columns)\b/g)) {
    if (name === "row" && slash === "") open.push(counts.push(0) - 1);
    else if (name === "row") open.pop();
    else if (slash === "") {
      const row = open.at(-1) ?? 0;
      counts[row] = (counts[row] ?? 0) + 1;
    }
  }
  return counts;
}

const attributesOf = (written: string): Record<string, string> =>
  Object.fromEntries([...written.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [name, value]));
