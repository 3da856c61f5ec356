import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CommandFailed, ROOT, run } from "./run-command.ts";

const MARKUP = "The console makes no markup from strings: write it as JSX.";
const REQUESTS = "The console calls the service through its client alone: use useAnswer, usePages or useAct.";
const AMBIENT = "Core has nothing ambient: take `now` as a parameter.";

/** Each line breaks a rule of `scripts/rules`, or none. */
const FILES: Record<string, Record<string, string | null>> = {
  "packages/console/app/views/markup.tsx": {
    "export const first = (at: HTMLElement, html: string) => (at.innerHTML = html);": MARKUP,
    'export const second = (at: HTMLElement, html: string) => (at["outerHTML"] = html);': MARKUP,
    'export const third = (at: HTMLElement, html: string) => at.insertAdjacentHTML("beforeend", html);':
      MARKUP,
    "export const fourth = (html: string) => document.write(html);": MARKUP,
    "export const fifth = (html: string) => <p dangerouslySetInnerHTML={{ __html: html }} />;": MARKUP,
    "export const sixth = (html: string) => <p {...{ dangerouslySetInnerHTML: { __html: html } }} />;":
      MARKUP,
    "export const seventh = (html: string) => <p innerHTML={html} />;": MARKUP,
    "export const eighth = (html: string) => <iframe srcdoc={html} />;": MARKUP,
    'export const ninth = (html: string) => new DOMParser().parseFromString(html, "text/html");': MARKUP,
    "export const writes = (text: string) => navigator.clipboard.writeText(text);": null,
    "export const word = (text: { write: string }) => text.write;": null,
    "export const tenth = (text: string) => <p title={text}>{text}</p>;": null,
  },
  "packages/console/app/views/requests.ts": {
    'export const first = () => fetch("/x");': REQUESTS,
    'export const second = () => window.fetch("/x");': REQUESTS,
    "export const third = () => new XMLHttpRequest();": REQUESTS,
    'export const fourth = () => new EventSource("/x");': REQUESTS,
    'export const fifth = () => navigator.sendBeacon("/x");': REQUESTS,
    "export const more = (it: { fetchNextPage: () => void }) => it.fetchNextPage();": null,
    "export const sixth = (it: { refetch: () => void }) => it.refetch();": null,
  },
  "packages/console/app/api/machine.ts": { 'export const first = () => fetch("/x");': null },
  "packages/console/src/other.ts": {
    'export const first = () => fetch("/x");': null,
    "export const second = (at: { innerHTML: string }) => at.innerHTML;": null,
  },
  "packages/core/src/owners/rules.ts": { "export const first = () => new Date();": AMBIENT },
  "packages/core/src/ports/clock.ts": { "export const first = () => new Date();": null },
};

interface Report {
  diagnostics: { message: string; location: { path: string | { file: string }; start: { line: number } } }[];
}

const directory = mkdtempSync(join(tmpdir(), "letterslot-rules-"));
let found: [file: string, line: number, message: string][];

beforeAll(async () => {
  for (const [path, lines] of Object.entries(FILES)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), Object.keys(lines).join("\n"));
  }
  const { plugins } = JSON.parse(readFileSync(join(ROOT, "biome.json"), "utf8")) as { plugins: string[] };
  cpSync(join(ROOT, "scripts/rules"), join(directory, "scripts/rules"), { recursive: true });
  const settings = { plugins, linter: { rules: { preset: "none" } } };
  writeFileSync(join(directory, "biome.json"), JSON.stringify(settings));
  const output = await run("biome", ["lint", "--reporter=json", "--max-diagnostics=none"], {
    cwd: directory,
    quiet: true,
  }).catch((error: unknown) => {
    if (error instanceof CommandFailed) return error.output;
    throw error;
  });
  const report = JSON.parse(output.slice(output.indexOf("{"), output.lastIndexOf("}") + 1)) as Report;
  found = report.diagnostics.map(({ message, location: { path, start } }) => [
    typeof path === "string" ? path : path.file,
    start.line,
    message,
  ]);
}, 60_000);

afterAll(() => rmSync(directory, { recursive: true, force: true }));

test.each(Object.entries(FILES))("of the lines of %s, those are found that break a rule", (file, lines) => {
  const broken = Object.values(lines).flatMap((message, index) =>
    message === null ? [] : [[file, index + 1, message]],
  );
  const ours = found.filter(([path]) => path === file);
  expect(ours.toSorted(([, one], [, other]) => one - other)).toEqual(broken);
});
