import { describe, expect, test } from "vitest";
import { extractNewText } from "./extract.ts";

/** Replies as clients write them, including the words of the history; `html.test.ts` has the markup alone. */
const CLIENTS: Record<string, string> = {
  QQ: `<div>Yes.</div><div><br></div><div style="font-size:12px;padding:2px 0">------------------&nbsp;原始邮件&nbsp;------------------</div><div style="background:#efefef"><div><b>发件人:</b>&nbsp;"Ada"&lt;ada@example.com&gt;;</div><div><b>发送时间:</b>&nbsp;2025年3月4日(星期二) 上午10:15</div><div><b>收件人:</b>&nbsp;"Bo"&lt;bo@example.com&gt;;</div></div><div>Ok?</div>`,
  "QQ without a marker": `<div>Yes.</div><div><div style="background:#efefef"><div>发件人：<b>"Ada"</b> &lt;ada@example.com&gt;</div><div>发送时间：2025年3月4日 10:15</div><div>收件人：<b>"Bo"</b></div><div>主题：Plan</div></div><div>Ok?</div></div>`,
  NetEase: `<div>Yes.</div><br><div style="zoom:1"></div><div id="divNeteaseMailCard"></div><br><pre><br>At 2025-03-04 10:15:00, "Ada" &lt;ada@example.com&gt; wrote:\n</pre><blockquote id="isReplyContent" style="BORDER-LEFT:#ccc 1px solid"><div>Ok?</div></blockquote>`,
  "NetEase in Chinese": `<div>Yes.</div><p>在 2025-03-04 10:15:00，"Ada" &lt;ada@example.com&gt; 写道：</p><blockquote style="BORDER-LEFT:#ccc 1px solid"><div>Ok?</div></blockquote>`,
  "NetEase on phones": `<div id="write-custom-write">Yes.</div><div class="ntes-mailmaster-quote"><div>Xx</div><table><tr><td>发件人</td><td>Ada</td></tr></table><div>Ok?</div></div>`,
  Naver: `<p>Yes.</p><div><p><span>-----Original Message-----</span><br><b>From:</b> "Ada"&lt;ada@example.com&gt;<br><b>To:</b> "Bo"&lt;bo@example.com&gt;;<br><b>Cc:</b><br><b>Sent:</b> 2025-03-04 (화) 10:15:00 (GMT+09:00)</p><p>Ok?</p></div>`,
  Daum: `<p>Yes.</p><div>--------- 원본 메일 ---------</div><blockquote style="border-left:2px solid"><div><b>보낸사람</b>: Ada</div>Ok?</blockquote>`,
  Yandex: `<div>Yes.</div><div>&nbsp;</div><div>----------------</div><div>Кому: Bo (bo@example.com);</div><div>Тема: Ada;</div><div>04.03.2025, 10:15, "Ada" &lt;ada@example.com&gt;:</div><blockquote><p>Ok?</p></blockquote>`,
  "Mail.ru": `<body>Yes.<br><br><blockquote style="border-left:1px solid #0857A6">Вторник, 4 марта 2025, 10:15 +03:00 от Ada &lt;ada@example.com&gt;:<br><div class="js-helper js-readmsg-msg">Ok?</div></blockquote></body>`,
  "Mail.ru with its line above": `<p>Yes.</p><div>Вторник, 4 марта 2025 г., 10:15 +03:00 от Ada &lt;ada@example.com&gt;:</div><blockquote style="border-left:1px solid #0857A6"><div>Ok?</div></blockquote>`,
  "Outlook on phones": `<div dir="auto">Yes.</div><div id="ms-outlook-mobile-signature">Sent from <a href="https://example.com/o">Outlook for iOS</a></div><hr tabindex="-1"><div id="divRplyFwdMsg"><b>From:</b> Ada</div><div>Ok?</div>`,
  "new Outlook": `<div class="elementToProof">Yes.</div><div id="mail-editor-reference-message-container"><div class="ms-outlook-mobile-reference-message skipProofing"><b>From: </b>Ada</div><div>Ok?</div></div>`,
  "Outlook by its words": `<p class="MsoNormal">Yes.</p><p class="MsoNormal"><b>Von:</b> Ada &lt;ada@example.com&gt;<br><b>Gesendet:</b> Dienstag, 4. März 2025 10:15<br><b>An:</b> Bo<br><b>Betreff:</b> Plan</p><p class="MsoNormal">Ok?</p>`,
  "Apple Mail on phones": `<body dir="auto"><div dir="ltr">Yes.<br id="lineBreakAtBeginningOfSignature"><div dir="ltr">Von meinem iPhone gesendet</div></div><div dir="ltr"><br><blockquote type="cite">Am 04.03.2025 um 10:15 schrieb Ada:<br><br></blockquote></div><blockquote type="cite"><div dir="ltr">Ok?</div></blockquote></body>`,
  "web.de by its words": `<div>Yes.</div><div>&nbsp;<div style="border-left:2px solid #C3D9E5"><div><b>Gesendet:</b>&nbsp;Dienstag, 04. März 2025 um 10:15 Uhr<br><b>Von:</b>&nbsp;"Ada" &lt;ada@example.com&gt;<br><b>An:</b>&nbsp;bo@example.com<br><b>Betreff:</b>&nbsp;Plan</div><div>Ok?</div></div></div>`,
  Orange: `<div>Yes.</div><blockquote style="border-left:1px solid #000"><div>envoyé : 4 mars 2025 à 10:15<br>de : Ada &lt;ada@example.com&gt;<br>à : bo@example.com<br>objet : Plan</div><br>Ok?</blockquote>`,
  Roundcube: `<p>Yes.</p><p id="reply-intro">Am 2025-03-04 10:15, schrieb Ada:</p><blockquote type="cite" style="border-left:#1010ff 2px solid"><p>Ok?</p></blockquote>`,
  Fastmail: `<div>Yes.</div><div><br></div><div>On Tue, 4 Mar 2025, at 10:15 AM, Ada wrote:</div><blockquote type="cite" id="qt"><div>Ok?</div></blockquote>`,
  Samsung: `<div dir="auto">Yes.</div><div id="composer_signature" dir="auto">Sent from my Galaxy</div><div dir="auto"><!-- originalMessage --><div>-------- Original message --------</div><div>From: Ada &lt;ada@example.com&gt;</div><div>Date: 04/03/2025 10:15 (GMT+00:00)</div></div>Ok?`,
  "eM Client": `<div>Yes.</div><div>------ Original Message ------</div><div>From "Ada" &lt;ada@example.com&gt;</div><blockquote cite="x" type="cite" class="cite2"><div>Ok?</div></blockquote>`,
  Zimbra: `<div>Yes.</div><div data-marker="__SIG_PRE__">Ada</div><hr id="zwchr" data-marker="__DIVIDER__"><div data-marker="__HEADERS__"><b>From: </b>"Ada"</div><div data-marker="__QUOTED_TEXT__">Ok?</div>`,
  "Yahoo on phones": `<div>Yes.<br><div id="ymail_android_signature"><a href="x">Sent from Yahoo Mail on Android</a></div><blockquote style="margin:0 0 20px 0"><div><div>On Tue, 4 Mar 2025 at 10:15, Ada</div><div>&lt;ada@example.com&gt; wrote:</div></div><div style="border-left:1px solid #6D00F6">Ok?</div></blockquote></div>`,
  Notes: `<font size=2>Yes.</font><br><br><font color=#5f5f5f>From: &nbsp;</font><font>Ada &lt;ada@example.com&gt;</font><br><font>To: &nbsp;</font><font>Bo</font><br><font>Date: &nbsp;</font><font>04/03/2025 10:15</font><br><font>Subject: &nbsp;</font><font>Plan</font><br><hr noshade><br><tt>Ok?</tt>`,
  iNotes: `<div>Yes.</div><div class="domino-section"><div>-----Ada/Example wrote: -----</div><blockquote>Ok?</blockquote></div>`,
};

describe("replies of mail clients", () => {
  test.each(Object.entries(CLIENTS))("%s: text and html contain only the reply", (_, html) => {
    const result = extractNewText({ text: "", html, subject: "Re: Plan", is_reply: true });
    expect(result.extracted_text).toBe("Yes.");
    expect(result.extracted_html).toContain("Yes.");
    expect(result.extracted_html).not.toMatch(/Ok\?|Ada/);
  });
  test.each(Object.entries(CLIENTS))("%s: extracting from the result changes nothing", (_, html) => {
    const again = (source: string) =>
      extractNewText({ text: "", html: source, subject: "Re: Plan", is_reply: true });
    const once = again(html);
    expect(again(once.extracted_html ?? "")).toMatchObject({
      extracted_text: once.extracted_text,
      extracted_html: once.extracted_html,
    });
  });
  test.each(Object.entries(CLIENTS))("%s: a forward keeps the forwarded mail", (_, html) => {
    const forwarded = html.replace("Yes.", "Please handle this.<br>---------- Forwarded message ---------");
    const result = extractNewText({ text: "", html: forwarded, subject: "Fwd: Plan", is_reply: false });
    expect(result.extracted_text).toMatch(/Please handle this[^]*Ok\?/);
  });
});
