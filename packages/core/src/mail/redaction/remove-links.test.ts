import { expect, test } from "vitest";
import { extractNewText } from "../reply-extraction/extract.ts";
import { removingLinks } from "./remove-links.ts";

const LETTER = "Ada asks you to approve a mail.\n\nOpen the page of this approval here\n\nThank you.";

test.each([
  [
    "of the letter's own lines go, whatever follows their words",
    "Open the page of this approval here",
    "[link removed]",
  ],
  ["of the writer's own words stay", "The report of the last quarter", "https://a.example/r(1)"],
])("links %s", (_, words, link) => {
  const html = `<p><a href="https://a.example/r(1)">${words}</a></p><div class="yahoo_quoted">Old words</div>`;
  const extraction = extractNewText({ text: "", html, subject: "Re: x", is_reply: true });
  expect(extraction).toMatchObject({
    extracted_text: `${words} (https://a.example/r%281%29)`,
    removed_chars: 11,
  });
  expect(removingLinks(extraction, [LETTER])(html, "html")).toContain(`href="${link}"`);
});
