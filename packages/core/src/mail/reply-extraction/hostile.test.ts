import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { casesOf } from "../../../../../test/support/case-count.ts";
import { measureThreadCpu } from "../../../../../test/support/processor-time.ts";
import { extractNewText, htmlToText, previewOf } from "./extract.ts";
import { MAX_HTML_ELEMENTS, MAX_HTML_LINES } from "./limits.ts";

const SIZE = 200_000;
/** Quadratic work takes minutes on these. */
const BOUND_MS = 5_000;
const filled = (piece: string) => piece.repeat(Math.ceil(SIZE / piece.length)).slice(0, SIZE);
const sender = { name: "Ada Bell", address: "ada@example.com" };

const TEXTS: Record<string, string> = {
  "100,000 newlines": "\n".repeat(100_000),
  "one long line": filled("On 4 Mar 2025 at 10:15 ada@example.com wrote: "),
  "blank quotes": filled(">\n\n"),
  "only quote marks": filled(">"),
  "quotes and answers in turn": filled("> a\nb\n"),
  "reply headers": filled("On Tue, 4 Mar 2025 at 10:15, Ada <ada@example.com> wrote:\n"),
  "reply headers that never end": filled("On Tue, 4 Mar 2025 at 10:15, Ada\n"),
  "header labels": filled("From: ada@example.com\n"),
  "labels in a row": filled(`${"from: to: date: ".repeat(20)}\n`),
  "rows of dashes": filled(`${"- ".repeat(190)}:\n`),
  "device lines": filled("Sent from my iPhone\n\n"),
  "signature delimiters": filled("-- \nAda\n"),
  names: filled("Thanks,\nAda\n\n"),
  pipes: `On Tue, 4 Mar 2025 at 10:15, Ada <ada@example.com> wrote:\n\n${filled("|\n\n")}`,
};

const HTMLS: Record<string, string> = {
  "10,000 nested elements": `${"<div>".repeat(10_000)}deep${"</div>".repeat(10_000)}`,
  "unclosed elements": filled("<b>"),
  "unclosed quotes": filled("<blockquote type=cite>x"),
  "closing tags that match nothing": filled("<b></i>"),
  "a quote with many children": `<div class="gmail_quote">${filled("<i>x</i>")}<blockquote>q</blockquote></div>`,
  "a table row without end": `<table>${filled("<td>a")}`,
  "list items": `<ol>${filled("<li>a")}`,
  "an attribute without end": filled('<a class="'),
  "a comment without end": `<!--${filled("-")}`,
  entities: filled("&amp;"),
  "less-than signs": filled("<"),
  "preformatted lines": `<pre>${filled("x\n")}`,
};

describe("hostile input", () => {
  test.each(Object.entries(TEXTS))("%s takes linear time", async (_, text) => {
    expect(
      await measureThreadCpu(() =>
        extractNewText({ text, html: null, subject: "Re: x", is_reply: true, sender }),
      ),
    ).toBeLessThan(BOUND_MS);
  });
  test.each(Object.entries(HTMLS))("html: %s takes linear time", async (_, html) => {
    expect(
      await measureThreadCpu(() =>
        extractNewText({ text: "", html, subject: "Re: x", is_reply: true, sender }),
      ),
    ).toBeLessThan(BOUND_MS);
  });
  test("text beyond the line limit stays, unless history started above", () => {
    const long = "line\n".repeat(150_000);
    const plain = { html: null, subject: "", is_reply: false };
    expect(extractNewText({ ...plain, text: `${long}end` }).extracted_text).toBe(`${long}end`);
    expect(
      extractNewText({
        ...plain,
        text: `Yes.\n\nOn Tue, 4 Mar 2025 at 10:15, Ada <ada@example.com> wrote:\n\n${long}`,
      }).extracted_text,
    ).toBe("Yes.");
    expect(extractNewText({ ...plain, text: `${"\n".repeat(150_000)}end` }).extracted_text).toBe("end");
  });
  test.each([
    ["paragraphs", "<p>x", "<p>end"],
    ["line breaks", "<br>", "<b>end</b>"],
    ["comments", "x<!---->", "end"],
    ["lines of preformatted text", "<pre>x\n</pre>", "<pre>a\nend"],
  ])("html of 1 MB of %s takes at most a second, and no word of it is lost", async (_, piece, last) => {
    const html = `<div>${piece.repeat(1_000_000 / piece.length)}${last}</div>`;
    let text = "";
    const ms = await measureThreadCpu(() => {
      text = extractNewText({ text: "", html, subject: "", is_reply: false, sender }).extracted_text;
    });
    expect(ms).toBeLessThan(1_000);
    expect(text.slice(-3)).toBe("end");
    expect(text.match(/x/g)?.length ?? 0).toBe(html.match(/x/g)?.length ?? 0);
  });
  test("one long preformatted text has a limited number of lines, and loses no word", async () => {
    const html = `<pre>${"x\n".repeat(500_000)}end</pre>`;
    const text = htmlToText(html);
    expect(text.split("\n").length).toBeLessThanOrEqual(MAX_HTML_LINES + 1);
    expect(text.match(/x/g)?.length).toBe(500_000);
    expect(text.slice(-5)).toBe("x end");
  });
  test("what follows the last element that is read is text, even if a tag hides it", () => {
    const html = `${"<br>".repeat(MAX_HTML_ELEMENTS)}a<p hidden>b<i>c</i>&amp;<style>d`;
    expect(htmlToText(`${"<br>".repeat(10)}a<p hidden>b<i>c</i>&amp;<style>d`)).toBe("a");
    expect(htmlToText(html)).toBe("a bc&d");
  });
  test("text below 10,000 levels is still read", () => {
    expect(htmlToText(HTMLS["10,000 nested elements"] ?? "")).toBe("deep");
  });
});

const pieces = fc.constantFrom(
  "Yes.",
  "Thanks,",
  "Ada",
  "",
  " ",
  "> quoted",
  ">",
  "> > twice",
  "    > far",
  "-- ",
  "---",
  "_____",
  "* * *",
  "Sent from my iPhone",
  "From: Ada <ada@example.com>",
  "Sent: 4 March 2025 10:15",
  "To: Bo",
  "Subject: Plan",
  "On Tue, 4 Mar 2025 at 10:15, Ada <ada@example.com> wrote:",
  "On Tue, 4 Mar 2025 at 10:15, Ada <",
  "ada@example.com> wrote:",
  "-----Original Message-----",
  "---------- Forwarded message ----------",
  "ok--- On Tue, 4 Mar 2025 at 10:15, ada@example.com wrote:",
  "| piped",
  "FYI",
  "CAUTION: external sender, do not click links",
  "tel: 555 0100",
  "Hi Bo,",
  "\u200b",
  "wrote:",
);
const mail = fc
  .array(fc.oneof({ weight: 6, arbitrary: pieces }, fc.string()), { maxLength: 25 })
  .map((lines) => lines.join("\n"));
const subjects = fc.constantFrom("", "Re: Plan", "Fwd: Plan");
const tags = fc.constantFrom(
  "<p>",
  "</p>",
  "<div class=gmail_quote>",
  "<blockquote type=cite>",
  "</blockquote>",
  "</div>",
  "<br>",
  "<div id=divRplyFwdMsg>",
  "<hr>",
  "<li>",
  "<ul>",
  "<td>",
  "<pre>",
  "<!--",
  "-->",
  "&amp;",
  "<div class=gmail_signature>",
  "<",
  "Yes",
  "wrote:",
);

describe("a stored parent", () => {
  const words = fc.array(fc.constantFrom("yes", "pay", "the", "bill", "no", "send", "it", "now", "please"), {
    minLength: 3,
    maxLength: 12,
  });
  const parents = fc.array(
    words.map((line) => line.join(" ")),
    { maxLength: 8 },
  );
  const replies = fc.tuple(parents, fc.array(fc.nat(), { maxLength: 12 }), mail);

  test("makes no words the writer's that are not without it", () => {
    fc.assert(
      fc.property(replies, subjects, ([parent, order, around], subject) => {
        const quoted = order
          .map((at) => ["", "> "][at % 2] + (parent[at % (parent.length || 1)] ?? ""))
          .join("\n");
        const text = `${around}\n${quoted}\n${around}`;
        const parent_text = { text: parent.join("\n"), new_text: parent.slice(0, 5).join("\n") };
        const base = { text, html: null, subject, is_reply: true, sender };
        const alone = extractNewText({ ...base, parent_text: undefined });
        const compared = extractNewText({ ...base, parent_text });
        const own = (shown: string) =>
          shown.split("\n").filter((line) => line.trim() !== "" && !line.startsWith(">"));
        const left = Map.groupBy(own(alone.extracted_text), (line) => line);
        for (const [line, times] of Map.groupBy(own(compared.extracted_text), (each) => each))
          expect(times.length).toBeLessThanOrEqual(left.get(line)?.length ?? 0);
      }),
      {
        numRuns: casesOf(500, 2_000),
        examples: [
          [
            [
              [Array(8).fill("yes").join(" ")],
              [0, 0, 0],
              "From: Ada <ada@example.com>\n\u200b\nTo: Bo\n> > twice\nSent: 4 March 2025 10:15",
            ],
            "",
          ],
        ],
      },
    );
  });

  test.each([
    ["the same word", filled("word ")],
    ["other words", [...Array(40_000).keys()].join(" ")],
    ["short lines", filled("a b\n")],
    ["links", filled("https://example.com/a ")],
    ["a link without end", `https://${filled("a")}`],
    ["characters of a script without blanks", filled("渡轮从鱼市场")],
  ])("of %s is compared in linear time", async (_, text) => {
    const used = await measureThreadCpu(() => {
      extractNewText({
        text: `${text}\n\nYes.`,
        html: null,
        subject: "",
        is_reply: true,
        parent_text: { text, new_text: text },
        takes_answers: true,
      });
    });
    expect(used).toBeLessThan(BOUND_MS);
  });
});

describe("properties", () => {
  test("extracting twice changes nothing, except for a quote that only stayed because of the history below it", () => {
    fc.assert(
      fc.property(mail, subjects, fc.boolean(), (text, subject, known) => {
        const from = known ? sender : undefined;
        const { extracted_text: once, method } = extractNewText({
          text,
          html: null,
          subject,
          is_reply: true,
          sender: from,
        });
        // Only this method keeps a quote and removes all words below it.
        fc.pre(!(method === "inline_reply" && /^[^\S\n]{0,3}>.*$(?![^]*\n.*[\p{L}\p{N}])/mu.test(once)));
        expect(
          extractNewText({ text: once, html: null, subject, is_reply: true, sender: from }).extracted_text,
        ).toBe(once);
      }),
      { numRuns: casesOf(1_000, 3_000) },
    );
  });
  test("every line of the result is in the mail", () => {
    fc.assert(
      fc.property(mail, (text) => {
        for (const line of extractNewText({
          text,
          html: null,
          subject: "",
          is_reply: false,
          sender,
        }).extracted_text.split("\n"))
          expect(text).toContain(line.trim());
      }),
      { numRuns: 1_000 },
    );
  });
  test("no text, html or subject makes it throw", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }),
        fc.array(fc.oneof(tags, fc.string({ unit: "binary" })), { maxLength: 40 }),
        fc.string(),
        (text, html, subject) => {
          const result = extractNewText({
            text,
            html: html.join(""),
            subject,
            is_reply: false,
            sender: { name: subject, address: text },
          });
          expect(result.removed_chars).toBeGreaterThanOrEqual(0);
          expect(previewOf(result.extracted_text).length).toBeLessThanOrEqual(200);
        },
      ),
      { numRuns: casesOf(300, 2_000) },
    );
  });
  test("html is only ever shortened, but for brackets that are no tags", () => {
    fc.assert(
      fc.property(fc.array(tags, { maxLength: 40 }), (parts) => {
        const html = parts.join("");
        const result = extractNewText({ text: "", html, subject: "", is_reply: false });
        const escaped = html.replaceAll("<", "&lt;");
        expect(result.extracted_html?.length).toBeLessThanOrEqual(escaped.length);
      }),
      { numRuns: casesOf(300, 2_000) },
    );
  });
});
