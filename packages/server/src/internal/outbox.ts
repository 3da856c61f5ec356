import { fail } from "@letterslot/core";
import type { Hono, MiddlewareHandler } from "hono";
import { html } from "hono/html";
import { type Markup, page, pageHeaders } from "../pages/layout.ts";
import type { Edge, ServerEnv } from "../request/context.ts";
import { directOnly } from "../request/direct-only.ts";

/** Mail that was captured instead of sent. */
export interface CapturedMail {
  /** Newest first; `before` is the name that the last page ended with. */
  list(options: {
    limit: number;
    before?: string;
  }): Promise<{ name: string; captured_at: string; from: string; to: string[]; subject: string }[]>;
  /** The raw mail of that name, or undefined. */
  read(name: string): Promise<Uint8Array | undefined>;
}

const listed = 50;
const sourceChars = 200_000;
const localNames = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

/**
 * `/outbox`: the mail that a server without SMTP_URL captured. It shows owners' codes, so it is for the
 * developer at this machine alone: not through a proxy, and not under a name that a foreign page could have
 * rebound to this address.
 */
export function mountOutbox(app: Hono<ServerEnv>, { letterslot }: Edge, mail: CapturedMail): void {
  const { base_url } = letterslot.parts.options;
  app.use("/outbox/*", directOnly, localNameOnly);
  app.get("/outbox", async (c) => {
    const before = c.req.query("before");
    return c.html(
      listPage(await mail.list({ limit: listed, ...(before === undefined ? {} : { before }) })),
      200,
      pageHeaders,
    );
  });
  app.get("/outbox/:name", async (c) => {
    const name = c.req.param("name");
    const raw = await mail.read(name);
    if (raw === undefined) throw fail("route_not_found");
    const source = Buffer.from(raw).toString("utf8").slice(0, sourceChars);
    const { subject, text } = await letterslot.parts.parser.parse(raw, { screening_timeout_ms: null });
    return c.html(mailPage(subject, withLinks(text ?? "", base_url), source), 200, pageHeaders);
  });
}

function listPage(captured: Awaited<ReturnType<CapturedMail["list"]>>): Markup {
  const rows = captured.map(
    ({ name, from, to, subject, captured_at }) => html`<tr>
<td><a href="/outbox/${encodeURIComponent(name)}">${subject || "(no subject)"}</a></td><td>${from}</td><td>${to.join(", ")}</td><td>${captured_at}</td>
</tr>`,
  );
  const table = html`<table><thead><tr><th>Subject</th><th>From</th><th>To</th><th>When</th></tr></thead><tbody>${rows}</tbody></table>`;
  const older = html`<p><a href="/outbox?before=${encodeURIComponent(captured.at(-1)?.name ?? "")}">Older mail</a></p>`;
  const content = html`<h1>Captured mail</h1>
<p class="soft">No SMTP_URL is set, so outgoing mail stays here.</p>
${captured.length === 0 ? html`<p>Nothing has been sent yet.</p>` : table}
${captured.length < listed ? "" : older}`;
  return page("Captured mail", content, "wide");
}

function mailPage(subject: string, text: Markup[], source: string): Markup {
  const content = html`<p><a href="/outbox">All captured mail</a></p>
<h1>${subject || "(no subject)"}</h1>
<pre tabindex="0">${text}</pre>
<details><summary>Source</summary><pre tabindex="0">${source}</pre></details>`;
  return page(subject || "Captured mail", content, "wide");
}

/** Text with the addresses of this server as links; others stay text. */
function withLinks(text: string, base_url: string): Markup[] {
  const pieces = text.split(/(https?:\/\/[^\s<>"]+)/);
  return pieces.map((piece) =>
    piece.startsWith(`${base_url}/`) ? html`<a href="${piece}">${piece}</a>` : html`${piece}`,
  );
}

/** Hides the page from a browser that asked for it by a name that is not this machine's. */
const localNameOnly: MiddlewareHandler<ServerEnv> = async (c, next) => {
  if (!localNames.test(c.req.header("host") ?? "")) throw fail("route_not_found");
  await next();
};
