import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cleanHtml } from "../packages/core/src/mail/outgoing-html/index.ts";
import { foundationMail, foundationTemplates } from "./support/foundation-mail.ts";
import { type PhoneBrowser, startPhoneBrowser } from "./support/phone-browser.ts";
import { movedWords, onWideScreen, wordBoxes } from "./support/word-boxes.ts";

const WIDE_PX = 1_280;
const NARROW_PX = 390;

/** An invoice as programs have made them for decades: the whole layout stands in attributes of tables. */
const INVOICE = `<!doctype html><html><body bgcolor="#eeeeee" style="margin:0">
<table width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="#eeeeee"><tr><td align="center">
<table width="600" cellpadding="0" cellspacing="0" bgcolor="#ffffff">
<tr><td height="24"></td></tr>
<tr><td style="padding:0 30px"><table width="100%" cellpadding="0" cellspacing="0"><tr>
<td align="left" valign="top" width="270"><font face="Arial" color="#333333"><b>Garden tools Ltd</b><br>12 Long Lane</font></td>
<td align="right" valign="bottom" width="270" style="font:bold 24px/30px Arial">Invoice 4711</td></tr></table></td></tr>
<tr><td style="padding:24px 30px;font:14px/21px Arial">Dear Ms Doe, thank you for your order. This is what we have sent you, and what it costs; please pay within fourteen days.</td></tr>
<tr><td align="center"><table width="540" cellpadding="6" cellspacing="0" border="1" style="border-collapse:collapse;font-size:14px">
<tr bgcolor="#223344"><th align="left" style="color:#ffffff">Article</th><th align="right" style="color:#ffffff">Pieces</th><th align="right" style="color:#ffffff">Price</th></tr>
<tr><td>Watering can, zinc</td><td align="right">2</td><td align="right">48.00</td></tr>
<tr><td>Secateurs for the left hand</td><td align="right">1</td><td align="right">31.50</td></tr>
<tr><td colspan="2" align="right"><b>Total</b></td><td align="right"><b>79.50</b></td></tr></table></td></tr>
<tr><td align="center" style="padding:30px"><table align="center" cellpadding="12" bgcolor="#1f6f43"><tr><td><a href="https://example.com/pay" style="color:#ffffff;text-decoration:none;font:bold 16px Arial">Pay now</a></td></tr></table></td></tr>
</table></td></tr></table></body></html>`;

/** A newsletter as programs make them today: for small screens first, with rules for wider ones. */
const NEWSLETTER = `<!doctype html><html><head><meta charset="utf-8"><style>
body { margin: 0; padding: 0; background: #f2f4f6; font-family: Arial, sans-serif; font-size: 16px; line-height: 1.5; }
.preheader { display: none !important; }
.page { max-width: 600px; margin: 0 auto; background: #ffffff; }
.page h1 { margin: 0; padding: 32px 24px 8px; font-size: 28px; line-height: 34px; text-align: center; }
.page p { margin: 0 0 16px; padding: 0 24px; }
.columns { font-size: 0; text-align: center; }
.column { display: inline-block; width: 100%; vertical-align: top; font-size: 16px; text-align: left; }
.button { display: inline-block; padding: 12px 20px; background: #0055aa; color: #ffffff; text-decoration: none; border-radius: 4px; }
#foot > p { font-size: 12px; line-height: 18px; color: #555555; }
.wide-only { display: none; }
@media (min-width: 480px) { .column { width: 50% !important; } }
@media (max-width: 480px) { .page h1 { font-size: 20px; } }
</style></head><body><div class="preheader">Seven things to do in the garden in March</div><div class="page">
<h1>The garden in March</h1><p>The ground is still cold, but the days get longer. Here is what can be sown now, and what had better wait.</p>
<div class="columns"><div class="column"><p><b>Sow now</b><br>Broad beans, spinach, radishes and, under glass, the first lettuce.</p></div><div class="column"><p><b>Wait</b><br>Courgettes and pumpkins: they like it warm and catch up fast.</p></div></div>
<p style="text-align:center"><a class="button" href="https://example.com/calendar">The whole calendar</a></p>
<div id="foot"><p>You get this letter because you asked for it. <a href="https://example.com/leave">Unsubscribe</a></p></div><p class="wide-only">Not for you</p>
</div></body></html>`;

let browser: PhoneBrowser;
let page: Page;
beforeAll(async () => {
  browser = await startPhoneBrowser();
  page = await browser.open("about:blank", { desk: true });
  await page.route("**", (route) => route.abort());
});
afterAll(() => browser.close());

const LETTERS: [name: string, html: string][] = [
  ...foundationTemplates().map((name): [string, string] => [name, foundationMail(name)]),
  ["an invoice", INVOICE],
  ["a newsletter", NEWSLETTER],
];

test("there are templates to compare", () => {
  expect(foundationTemplates()).toHaveLength(11);
});

describe.each(LETTERS)("%s, cleaned", (_name, html) => {
  const { html: cleaned } = cleanHtml(html, new Set());

  test("has each word where it was on a wide screen", async () => {
    const before = await wordBoxes(page, onWideScreen(html), WIDE_PX);
    const after = await wordBoxes(page, cleaned, WIDE_PX);
    const moved = movedWords(before.boxes, after.boxes);
    expect(moved.words).toBeGreaterThan(30);
    expect(moved.missing).toEqual([]);
    expect(after.boxes).toHaveLength(before.boxes.length);
    expect(moved.median).toBeLessThanOrEqual(2);
    expect(moved.most).toBeLessThanOrEqual(16);
  });

  test("fits on a phone, with every word", async () => {
    const wide = await wordBoxes(page, cleaned, WIDE_PX);
    const narrow = await wordBoxes(page, cleaned, NARROW_PX);
    expect(narrow.width).toBeLessThanOrEqual(NARROW_PX);
    expect(narrow.boxes.map(({ word }) => word)).toEqual(wide.boxes.map(({ word }) => word));
    expect(narrow.boxes.filter(({ left, right }) => left < 0 || right > NARROW_PX)).toEqual([]);
  });
});

test("words that moved are noticed", async () => {
  const before = await wordBoxes(page, "<!doctype html><p>one two three</p>", WIDE_PX);
  const after = await wordBoxes(page, "<!doctype html><p style='padding:20px'>one two</p>", WIDE_PX);
  expect(movedWords(before.boxes, after.boxes)).toMatchObject({
    words: 3,
    missing: ["three"],
    most: 20 * Math.SQRT2,
  });
});
