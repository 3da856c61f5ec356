import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Locator, Page } from "playwright-core";
import sharp from "sharp";
import { MARK_SVG, THEMES } from "../../packages/core/src/catalogue/look.ts";

/** The screen of the phone that is filmed, in CSS pixels. */
const SCREEN = { width: 360, height: 660 };
const STAGE = { width: 840, height: 724 };

/** What the thumb does, frame by frame: it comes, rests and presses. */
const PRESS = [
  { thumb: "comes", ms: 120 },
  { thumb: "rests", ms: 420 },
  { thumb: "presses", ms: 200 },
] as const;

interface Frame {
  /** The screen, as PNG. */
  screen: Buffer;
  step: number;
  ms: number;
  thumb?: { at: { x: number; y: number }; state: (typeof PRESS)[number]["thumb"] };
  /** What has just come. */
  ring?: { x: number; y: number; width: number; height: number };
}

/** A film of a page, made of its own screens: what is said beside the phone, and the thumb, are drawn around them. */
export interface Film {
  /** From now on this step is told. */
  step(index: number): void;
  /** Shows the screen as it is now for so long; what has just come can be pointed at. */
  show(ms: number, come?: Locator): Promise<void>;
  /** Shows a thumb on an element, and presses it. */
  press(target: Locator): Promise<void>;
  /** Writes it as animated WebP. */
  write(path: string): Promise<void>;
}

/** A phone's font: on the machine of a test a page would be shown in whatever is installed there. */
const FONT = readFileSync(
  createRequire(import.meta.url).resolve("@fontsource-variable/roboto/files/roboto-latin-wght-normal.woff2"),
).toString("base64");

/** Has a page use a phone's font from its next load on, as if it were the reader's own. */
export const usePhoneFont = (page: Page): Promise<unknown> =>
  page.addInitScript(`{
    const bytes = Uint8Array.from(atob("${FONT}"), (letter) => letter.charCodeAt(0));
    const font = new FontFace("Phone", bytes.buffer, { weight: "100 900" });
    document.fonts.add(font);
    void font.load();
    document.addEventListener("DOMContentLoaded", () => document.documentElement.style.setProperty("--fonts", "Phone"));
  }`);

/** Begins to film a page; `steps` are what is told beside it. */
export async function startFilm(page: Page, steps: readonly string[]): Promise<Film> {
  const frames: Frame[] = [];
  let step = 0;
  await page.setViewportSize(SCREEN);
  const take = async () => {
    await page.evaluate("document.fonts.ready");
    return page.screenshot({ caret: "hide" });
  };
  return {
    step: (index) => void (step = index),
    async show(ms, come) {
      const ring = (await come?.boundingBox()) ?? undefined;
      frames.push({ screen: await take(), step, ms, ...(ring === undefined ? {} : { ring }) });
    },
    async press(target) {
      const box = await target.boundingBox();
      if (box === null) throw new Error("what is pressed isn't on the screen");
      const at = { x: box.x + Math.min(box.width / 2, 150), y: box.y + box.height / 2 };
      const screen = await take();
      for (const { thumb, ms } of PRESS) frames.push({ screen, step, ms, thumb: { at, state: thumb } });
      await target.click();
    },
    async write(path) {
      const context = await page.context().browser()?.newContext({ viewport: STAGE, deviceScaleFactor: 2 });
      const stage = await context?.newPage();
      if (stage === undefined) throw new Error("the browser is closed");
      await usePhoneFont(stage);
      const drawn: Buffer[] = [];
      await stage.goto("about:blank");
      for (const frame of frames) {
        await stage.setContent(stageOf(frame, steps));
        await stage.evaluate(
          "Promise.all([...document.images].map((image) => image.decode())).then(() => document.fonts.ready)",
        );
        drawn.push(await stage.screenshot());
      }
      await context?.close();
      const delay = frames.map(({ ms }) => ms);
      await sharp(drawn, { join: { animated: true } })
        .webp({ nearLossless: true, quality: 60, effort: 6, minSize: true, delay, loop: 0 })
        .toFile(path);
    },
  };
}

const { ink, soft, paper, sheet, line, accent } = THEMES.light;

function stageOf({ screen, step, thumb, ring }: Frame, steps: readonly string[]): string {
  const said = steps.map(
    (text, index) => `<li class="${index === step ? "now" : index < step ? "done" : ""}">${text}</li>`,
  );
  const pointed =
    ring &&
    `<i class="ring" style="left:${ring.x + 3}px;top:${ring.y + 3}px;width:${ring.width - 6}px;height:${ring.height - 6}px"></i>`;
  const finger =
    thumb && `<i class="thumb ${thumb.state}" style="left:${thumb.at.x}px;top:${thumb.at.y}px"></i>`;
  return `<!doctype html><meta charset="utf-8"><style>
    * { box-sizing: border-box; margin: 0 }
    body { font-family: Phone; background: ${paper}; color: ${ink}; width: ${STAGE.width}px; height: ${STAGE.height}px;
      display: grid; grid-template-columns: 1fr auto; align-items: center; padding: 0 32px 0 40px; overflow: hidden }
    h1 { display: flex; align-items: center; gap: 12px; font-size: 26px; font-weight: 600; margin-bottom: 36px }
    h1 svg { width: 40px; height: 40px }
    ol { list-style: none; padding: 0; display: grid; gap: 6px; width: 350px }
    li { font-size: 21px; line-height: 1.35; color: ${soft}; padding: 10px 18px; border-left: 4px solid ${line} }
    li.done { border-color: ${accent} }
    li.now { color: ${ink}; font-weight: 600; border-color: ${accent}; background: ${sheet}; border-radius: 0 10px 10px 0 }
    .phone { position: relative; border: 10px solid #14181f; border-radius: 44px; overflow: hidden; background: ${paper};
      width: ${SCREEN.width + 20}px; height: ${SCREEN.height + 20}px }
    .phone img { display: block; width: ${SCREEN.width}px; height: ${SCREEN.height}px }
    i { position: absolute; pointer-events: none }
    .ring { border: 3px solid ${accent}; border-radius: 12px }
    .thumb { width: 56px; height: 56px; margin: -28px; border-radius: 50%; background: rgb(20 24 31 / 0.3);
      border: 2px solid rgb(255 255 255 / 0.85); box-shadow: 0 2px 10px rgb(0 0 0 / 0.25) }
    .thumb.comes { opacity: 0.45; transform: translateY(14px) }
    .thumb.presses { transform: scale(0.78); background: rgb(20 24 31 / 0.5) }
  </style>
  <div><h1>${MARK_SVG}Letterslot</h1><ol>${said.join("")}</ol></div>
  <div class="phone"><img src="data:image/png;base64,${screen.toString("base64")}">${pointed ?? ""}${finger ?? ""}</div>`;
}
