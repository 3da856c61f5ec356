import { describe, expect, test } from "vitest";
import { extractNewText, htmlToText } from "./extract.ts";

const reply = (html: string) => extractNewText({ text: "", html, subject: "Re: Plan", is_reply: true });
const LINE = "On Tue, 4 Mar 2025 at 10:15, Ada &lt;ada@example.com&gt; wrote:";

const CLIENTS: Record<string, string> = {
  Gmail: `<div dir="ltr">Yes.</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">Ada, gestern:<br></div><blockquote class="gmail_quote" style="margin:0 0 0 .8ex"><p>Ok?</p></blockquote></div>`,
  "Apple Mail": `<html><body>Yes.<br><div><blockquote type="cite"><div>${LINE}</div><br><div>Ok?</div></blockquote></div></body></html>`,
  Thunderbird: `<p>Yes.</p><div class="moz-cite-prefix">Ada:<br></div><blockquote type="cite" cite="mid:1@example.com"><p>Ok?</p></blockquote>`,
  "Outlook on the web": `<div>Yes.</div><div id="appendonsend"></div><hr><div id="divRplyFwdMsg"><b>Ada</b><br></div><div>Ok?</div>`,
  "Outlook on Windows": `<div class="WordSection1"><p class="MsoNormal">Yes.<o:p></o:p></p><div><div style="border:none;border-top:solid #E1E1E1 1.0pt"><p class="MsoNormal"><b>Xx:</b> Ada</p></div></div><p class="MsoNormal">Ok?</p></div>`,
  "Outlook for Mac": `<div>Yes.</div><span id="OLK_SRC_BODY_SECTION"><div>Ada</div><div>Ok?</div></span>`,
  Hotmail: `<div dir="ltr">Yes.<br><hr id="stopSpelling">Ada<br>Ok?</div>`,
  Yahoo: `<div>Yes.</div><div id="yahoo_quoted_1" class="yahoo_quoted"><div>Ada</div><div>Ok?</div></div>`,
  Proton: `<div>Yes.</div><div class="protonmail_signature_block">Sent with Proton</div><div class="protonmail_quote">Ada<br><blockquote type="cite">Ok?</blockquote></div>`,
  Zoho: `<div>Yes.</div><div class="zmail_extra"><div>Ada</div><blockquote>Ok?</blockquote></div>`,
  GMX: `<div>Yes.</div><div name="quote" style="margin:10px"><div>Ada</div><div>Ok?</div></div>`,
  "Yandex, plain": `<p>Yes.</p><p>04.03.2025, 10:15, "Ada" &lt;<a href="mailto:ada@example.com">ada@example.com</a>&gt;:</p><blockquote>Ok?</blockquote>`,
  "Gmail quoted by Outlook": `<div>Yes.</div><div class="x_gmail_quote"><blockquote class="x_gmail_quote">Ok?</blockquote></div>`,
};

describe("history in HTML", () => {
  test.each(Object.entries(CLIENTS))("%s: text and html contain only the reply", (_, html) => {
    const result = reply(html);
    expect(result.extracted_text).toBe("Yes.");
    expect(result.extracted_html).toContain("Yes.");
    expect(result.extracted_html).not.toMatch(/Ok\?|Ada/);
  });
  test("answers between Gmail's quotes stay", () => {
    const result = reply(
      `<div class="gmail_quote"><div class="gmail_attr">${LINE}</div><blockquote>Tea?</blockquote><div>Yes.</div><blockquote>Milk?</blockquote><div>No.</div></div>`,
    );
    expect(result.extracted_text).toBe("> Tea?\nYes.\n> Milk?\nNo.");
    expect(result.extracted_html).toContain("Milk?");
    expect(result.extracted_html).not.toContain("wrote");
  });
  test("the client's quote is removed even if a footer follows", () => {
    const html = `<div>Yes.</div><div class="yahoo_quoted"><div>Xx Ada:</div><div>Ok?</div></div><div>Example Ltd, London</div>`;
    expect(reply(html).extracted_text).toBe("Yes.\nExample Ltd, London");
  });
  test("a marked quote with nothing next to it stays, because it may be a forward", () => {
    expect(
      reply(`<div class="gmail_quote"><div>---------- Xx ---------</div><div>The plan.</div></div>`)
        .extracted_text,
    ).toContain("The plan.");
  });
  test("a forwarded mail that Gmail didn't label stays whole", () => {
    const html = `<div class="gmail_quote">---------- Forwarded message ----------<br>From: <b>Ada</b><br>Subject: Plan<br>Date: Tue, 4 Mar 2025 10:15<br><br>The plan</div>`;
    expect(reply(html).extracted_html).toBe(html);
  });
  test("Gmail's line above the quote is removed in an unlisted language", () => {
    expect(
      reply(
        `<div>Yes.</div><div class="gmail_quote">Ada xx yy:<blockquote>Ok?</blockquote></div><div>Bo</div>`,
      ).extracted_text,
    ).toBe("Yes.\nBo");
  });
  const QUOTE = `<div class="gmail_attr">${LINE}</div><blockquote class="gmail_quote">Ok?</blockquote>`;
  test.each([
    [
      "has neither",
      "<p>Hi Bo,</p>",
      "<div><p>Three dates, please.</p><p>Ada</p></div>",
      "Hi Bo,\n\nThree dates, please.\n\nAda",
    ],
    ["is all there is", "", "<div>Three dates, please.</div>", "Three dates, please."],
    ["also holds the quote", "<div>Hi Bo,</div>", `<div>Pay 12.</div>${QUOTE}`, "Hi Bo,\nPay 12."],
    [
      "holds words and an unmarked introduction",
      "",
      `Pay 12.<br>And 13:<br>${LINE}<br><blockquote>Ok?</blockquote>`,
      "Pay 12.\nAnd 13:",
    ],
    [
      "holds words above a quote without an introduction",
      "",
      "<div>Pay 12.</div><blockquote>Ok?</blockquote>",
      "Pay 12.",
    ],
    [
      "holds words in one line above it",
      "<div>Hi</div>",
      "Pay 12.<br><blockquote>Ok?</blockquote>",
      "Hi\nPay 12.",
    ],
    [
      "holds an introduction without a known word",
      "<div>Hi</div>",
      "Ada &lt;<b>ada@example.com</b>&gt; xx<br><blockquote>Ok?</blockquote>",
      "Hi",
    ],
  ])("the writer's own words stay in a container of a quote that %s", (_, above, within, text) => {
    for (const name of ["gmail_quote", "gmail_quote gmail_quote_container", "x_gmail_quote"])
      expect(reply(`${above}<div class="${name}">${within}</div>`).extracted_text).toBe(text);
  });
  test("an indented paragraph is not a quote", () => {
    expect(
      reply(
        `<div>As planned:</div><blockquote style="margin:0 0 0 40px;border:none"><div>step one</div></blockquote>`,
      ).extracted_text,
    ).toBe("As planned:\nstep one");
  });
  test("the rest of the source is unchanged", () => {
    const top = `<div  STYLE='color:red'>Yes &amp; no<img src="cid:1"></div>`;
    expect(reply(`${top}<div class="gmail_quote"><blockquote>Ok?</blockquote></div>`).extracted_html).toBe(
      top,
    );
  });
  test("an image below the last text stays; one in the history is removed", () => {
    const result = reply(
      `<p>See:</p><p><img src="cid:shot"></p><div class="moz-cite-prefix">Ada:</div><blockquote type="cite"><img src="cid:old">Ok?</blockquote>`,
    );
    expect(result.extracted_html).toContain("cid:shot");
    expect(result.extracted_html).not.toContain("cid:old");
  });
  test("a signature marked by the client is removed", () => {
    expect(
      reply(`<p>Yes.</p>-- <br><div class="gmail_signature">Ada<br>Example Ltd</div>`).extracted_text,
    ).toBe("Yes.");
  });
  test.each(Object.entries(CLIENTS))("%s: extracting from the result changes nothing", (_, html) => {
    const once = reply(html).extracted_html ?? "";
    expect(reply(once)).toMatchObject({ extracted_text: "Yes.", extracted_html: once });
  });
  test.each([
    `<p>Your order</p><div style="border-top:1px solid #e1e1e1"><b>Total:</b> 5 €</div><p>Thank you</p>`,
    `<p>See</p><a name="quote">the quote</a><p>below</p>`,
    `<table><tr><td>From:</td><td>Rome</td></tr><tr><td>To:</td><td>Oslo</td></tr><tr><td>Date:</td><td>5 May</td></tr></table>`,
  ])("text that only looks like history stays: %s", (html) => {
    expect(reply(html).extracted_html).toBe(html);
  });
  test("html without history is returned unchanged", () => {
    const html = "<p>Hello,<br>all <b>new</b>.</p>";
    expect(reply(html).extracted_html).toBe(html);
  });
  test("a forward keeps the forwarded mail", () => {
    const html = `<div>For you.</div><div class="gmail_quote"><div class="gmail_attr">---------- Forwarded message ---------<br>From: Ada</div><p>The plan.</p></div>`;
    const result = extractNewText({ text: "", html, subject: "Fwd: Plan", is_reply: false });
    expect(result.extracted_text).toContain("The plan.");
    expect(result.extracted_html).toBe(html);
  });
  test("history marked only in the html is removed from the text too", () => {
    const result = extractNewText({
      text: "Yes.\n\nXx: Ada\n\nOk?",
      html: CLIENTS["Outlook on the web"] ?? "",
      subject: "Re: Plan",
      is_reply: true,
    });
    expect(result.extracted_text).toBe("Yes.");
  });
});

describe("htmlToText", () => {
  test("keeps paragraphs, lists, tables, links and preformatted text readable", () => {
    const html = `<h1>Plan</h1><p>Go to <a href="https://example.com">the page</a>&nbsp;now<br>please</p><ul><li>one</li><li><p>two</p><ol start="3"><li>x<li>y</ol></ul><table><tr><th>Item<th>Price<tr><td>Tea<td>3 €</table><pre>a  b\n c</pre><blockquote>cited</blockquote>`;
    expect(htmlToText(html)).toBe(
      "Plan\n\nGo to the page now\nplease\n\n- one\n- two\n3. x\n4. y\n\nItem | Price\nTea | 3 €\n\na  b\n c\n\n> cited",
    );
  });
  test("marks cells up to the last non-empty one", () => {
    expect(htmlToText("<table><tr><td>a<td><td>c<td> <td></table>")).toBe("a | | c");
    expect(htmlToText("<table><tr><td><img src=x><td>Hello<td>&nbsp;</table>")).toBe("Hello");
  });
  test.each([
    ["a</>b", "ab"],
    ["a</>&amp;<!---->&lt;b</>", "a&<b"],
    ["&amp;a < b&NotEqualTilde;<<i>c", "&a < b≂̸<c"],
  ])("%s is text in one line", (html, text) => {
    expect(htmlToText(html)).toBe(text);
  });
  test("omits what a reader doesn't see", () => {
    expect(
      htmlToText(
        `<head><title>t</title><style>p{}</style></head><script>1</script><p hidden>a</p><p style="display: none">b</p><!-- c --><p>seen</p>`,
      ),
    ).toBe("seen");
  });
});
