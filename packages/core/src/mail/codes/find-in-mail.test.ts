import { describe, expect, test } from "vitest";
import { findInMail } from "./find-in-mail.ts";

const best = (html: string) =>
  findInMail({ subject: "", extracted_text: "", text: null, html, is_reply: false }).codes[0]?.code ?? null;

describe("in HTML a code is found", () => {
  test.each([
    [
      "in a cell for each digit",
      "<table><tr><td>4</td><td>8</td><td>2</td><td>9</td><td>1</td><td>3</td></tr></table>",
    ],
    ["in a cell for each group", "<table><tr><td>482</td><td>913</td></tr></table>"],
    [
      "in a span for each digit",
      "<p><span>4</span><span>8</span><span>2</span><span>9</span><span>1</span><span>3</span></p>",
    ],
    ["in spans with spaces", "<p><span>482</span>&nbsp;<span>913</span></p>"],
    ["with places to break", "<p>482<wbr>913</p>"],
    ["in a big line", "<h1 style='letter-spacing:8px'>482913</h1>"],
  ])("%s", (_kind, code) => {
    expect(best(`<p>Your verification code is</p>${code}<p>It works once.</p>`)).toBe("482913");
  });

  test("as it is shown, not as it is hidden or linked", () => {
    const hidden = "<div style='display:none'>Your verification code is 999888</div>";
    expect(best(`${hidden}<p>Your verification code: <b>482913</b></p>`)).toBe("482913");
    expect(
      best("<p>Your verification code is <a href='https://shop.example/?code=112233'>here</a></p>"),
    ).toBeNull();
  });
});
