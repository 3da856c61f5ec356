import { cleanHtml } from "@letterslot/core/mail";
import { fail, type MailAddress, type ReadMail } from "@letterslot/core/ports";
import type { Hono } from "hono";
import { html } from "hono/html";
import { type Markup, PAGE_HEADERS, page } from "../pages/layout.ts";
import { MAIL_FRAME_POLICY, mailFrame } from "../pages/mail-frame.ts";
import { wantsHtml } from "../pages/page-request.ts";
import type { ServerEnv, ServerState } from "../request/context.ts";
import { directOnly } from "../request/direct-only.ts";
import { sendJson } from "../request/send-json.ts";
import { CAPTURED_HTML_HEADERS, capturedHtml, hasRemotePictures } from "./captured-html.ts";

/** Mail that was captured instead of sent. */
export interface CapturedMail {
  /** Newest first; `before` is the last name of the previous page. */
  list(options: {
    limit: number;
    before?: string;
  }): Promise<{ name: string; captured_at: string; from: string; to: string[]; subject: string }[]>;
  /** The raw mail of that name, if it exists. */
  read(name: string): Promise<Uint8Array | undefined>;
}

const PAGE_SIZE = 50;
const MAX_SOURCE_CHARS = 200_000;
/** Longer HTML is shown as text only. */
const MAX_HTML_CHARS = 200_000;

/**
 * Mounts `/outbox`: the mail that a server without SMTP_URL captured, as pages, and for the console as JSON. It shows
 * owners' codes, so only the developer on this machine may see it (see `isDirect`).
 */
export function mountOutbox(app: Hono<ServerEnv>, { letterslot }: ServerState, mail: CapturedMail): void {
  const { baseUrl: base_url } = letterslot.services.options;
  const find = async (name: string) => {
    const raw = await mail.read(name);
    if (raw === undefined) throw fail("route_not_found");
    return { raw, parsed: await letterslot.services.parser.parse(raw, { screeningTimeoutMs: null }) };
  };

  app.use("/outbox/*", directOnly);
  app.get("/outbox", async (c) => {
    const before = c.req.query("before");
    const captured = await mail.list({ limit: PAGE_SIZE, ...(before === undefined ? {} : { before }) });
    if (wantsHtml(c)) return c.html(listPage(captured), 200, PAGE_HEADERS);
    const next_cursor = captured.length < PAGE_SIZE ? null : (captured.at(-1)?.name ?? null);
    const data = captured.map(({ name, captured_at, from, to, subject }) => ({
      ...{ name, captured_at, from, to, subject },
    }));
    return sendJson(c, { object: "list", data, has_more: next_cursor !== null, next_cursor });
  });
  app.get("/outbox/:name", async (c) => {
    const name = c.req.param("name");
    const { raw, parsed } = await find(name);
    const source = Buffer.from(raw).toString("utf8").slice(0, MAX_SOURCE_CHARS);
    if (!wantsHtml(c))
      return sendJson(c, {
        object: "captured_mail",
        name,
        ...partsOf(parsed),
        source,
        size_bytes: raw.length,
      });
    return c.html(mailPage(parsed, withLinks(parsed.text, base_url), source), 200, {
      ...PAGE_HEADERS,
      "Content-Security-Policy": MAIL_FRAME_POLICY,
    });
  });
  app.get("/outbox/:name/html", async (c) => {
    const { parsed } = await find(c.req.param("name"));
    if (parsed.html === null) throw fail("route_not_found");
    return c.html(capturedHtml(parsed), 200, CAPTURED_HTML_HEADERS);
  });
}

const partsOf = ({ subject, from, to, cc, date, text, html: body, attachments }: ReadMail) => ({
  ...{ subject, date, from: namesOf(from), to: namesOf([...to, ...cc]) },
  text: text.slice(0, MAX_SOURCE_CHARS),
  html: body !== null,
  remote_pictures: body !== null && hasRemotePictures(body),
  attachments: attachments.map(({ filename, content_type, bytes }) => ({
    ...{ filename, content_type },
    size_bytes: bytes.length,
  })),
});

function listPage(captured: Awaited<ReturnType<CapturedMail["list"]>>): Markup {
  const rows = captured.map(
    ({
      name,
      from,
      to,
      subject,
      captured_at,
    }) => html`<dt><a href="/outbox/${encodeURIComponent(name)}">${subject || "(no subject)"}</a></dt>
<dd>To ${to.join(", ")}</dd><dd class="soft">From ${from}, ${whenOf(captured_at)}</dd>`,
  );
  const older = html`<p><a href="/outbox?before=${encodeURIComponent(captured.at(-1)?.name ?? "")}">Older mail</a></p>`;
  const content = html`<h1>Captured mail</h1>
<p class="soft">SMTP_URL is not set, so outgoing mail is kept here instead of being sent.</p>
${captured.length === 0 ? html`<p>Nothing has been sent yet.</p>` : html`<dl>${rows}</dl>`}
${captured.length < PAGE_SIZE ? "" : older}`;
  return page("Captured mail", content, "wide");
}

/** A mail as its reader sees it: who wrote it to whom and when, its HTML in a frame, and its text with links. */
function mailPage(mail: ReadMail, text: Markup[], source: string): Markup {
  const { subject, from, to, cc, date, html: body, attachments } = mail;
  const rows = [
    ["From", namesOf(from)],
    ["To", namesOf([...to, ...cc])],
    ["Date", date === null ? "" : whenOf(date)],
  ].filter(([, value]) => value !== "");
  const content_ids = attachments.flatMap(({ content_id }) => content_id ?? []);
  const shown =
    body === null || body.length > MAX_HTML_CHARS
      ? ""
      : mailFrame(cleanHtml(body, new Set(content_ids)).html);
  const content = html`<p><a href="/outbox">All captured mail</a></p>
<h1>${subject || "(no subject)"}</h1>
<table><tbody>${rows.map(([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`)}</tbody></table>
${shown === "" ? "" : html`<h2>As its reader sees it</h2>${shown}<h2>As text</h2>`}
<pre tabindex="0">${text}</pre>
<details><summary>Source</summary><pre tabindex="0">${source}</pre></details>`;
  return page(subject || "Captured mail", content, "wide");
}

function namesOf(addresses: readonly MailAddress[]): string {
  return addresses.map(({ name, address }) => (name === "" ? address : `${name} <${address}>`)).join(", ");
}

/** `2026-11-20 04:19 UTC` of an ISO time. */
function whenOf(time: string): string {
  return `${time.slice(0, 16).replace("T", " ")} UTC`;
}

/** Turns URLs of this server into links; others stay text. */
function withLinks(text: string, base_url: string): Markup[] {
  const parts = text.split(/(https?:\/\/[^\s<>"]+)/);
  return parts.map((part) =>
    part.startsWith(`${base_url}/`) ? html`<a href="${part}">${part}</a>` : html`${part}`,
  );
}
