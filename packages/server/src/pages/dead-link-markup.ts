import type { DeadLink } from "@letterslot/core/internal";
import { shownTimeWithYear } from "@letterslot/core/internal";
import { html } from "hono/html";
import { agentName, type Markup, page } from "./layout.ts";

type Kind = DeadLink["kind"];

const TITLES: Record<DeadLink["why"], string> = {
  expired: "This link has expired",
  replaced: "There is a newer letter",
  used: "This link was already used",
  elsewhere: "This link works in another browser",
  withdrawn: "This invitation was taken back",
  not_owner: "This link has ended",
  ended: "This link has ended",
};

/** How long the links work that don't work as long as their letter. */
const LIFETIMES: Partial<Record<Kind, string>> = {
  confirm: "24 hours",
  sign_in: "15 minutes",
  recover: "30 minutes",
  forward: "72 hours",
};

/**
 * The page of a letter's link that does not work: what has happened, who wrote the letter, and how to go on. `next` is
 * a form or link that leads there at once.
 */
export function deadLinkPage(dead: DeadLink | undefined, next: Markup | "" = ""): Markup {
  if (dead === undefined) return unknownLinkPage(next);
  return page(
    TITLES[dead.why],
    html`<div class="sheet">
<h1>${TITLES[dead.why]}</h1>
<p role="alert">${asked(dead)} ${happened(dead)}</p>
<p>${whatNow(dead)}</p>
${next}
</div>`,
  );
}

/** The page of a link that belongs to no letter, so that it names nobody. */
function unknownLinkPage(next: Markup | ""): Markup {
  return page(
    "This link does not work",
    html`<div class="sheet">
<h1>This link does not work</h1>
<p role="alert">It may be incomplete, or its letter may be too old.</p>
<p>Open it again from the newest letter: some mail programs cut long links. If that doesn't help, reply to that letter and ask for a new one.</p>
${next}
</div>`,
  );
}

/** Says who asked for what, and when. */
function asked(dead: DeadLink): string {
  const who = dead.inbox_email === null ? null : agentName({ ...dead, inbox_email: dead.inbox_email });
  const when = shownTimeWithYear(dead.sent_at);
  if (dead.kind === "sign_in") return `On ${when} somebody asked for a link to sign in with your address.`;
  if (dead.kind === "recover")
    return `On ${when} somebody asked for a link to recover a key with your address.`;
  if (dead.kind === "forward")
    return `On ${when} an agent asked you whether its mail may be forwarded to you.`;
  if (who === null) return `An agent wrote to you on ${when}; its inbox is closed now.`;
  if (dead.kind === "confirm") return `${who} asked you on ${when} whether you are its owner.`;
  if (dead.kind === "approve") return `${who} asked you on ${when} for your approval.`;
  if (dead.kind === "answer") return `${who} asked you a question on ${when}.`;
  return `${who} wrote to you on ${when}.`;
}

function happened({ kind, why, inbox_email }: DeadLink): string {
  switch (why) {
    case "expired":
      return `The link worked for ${LIFETIMES[kind] ?? "as long as its letter is kept"}. Nothing was changed by it.`;
    case "replaced":
      return "A newer letter was sent since, and only its link works.";
    case "used":
      return "The link works once, and it was used.";
    case "elsewhere":
      return "The link works only in the browser in which you asked for it.";
    case "withdrawn":
      return "It took that invitation back, so you need do nothing.";
    case "not_owner":
      return `You are not among the owners of ${inbox_email ?? "that inbox"} any more.`;
    case "ended":
      return "That is over by now, or somebody else decides it.";
  }
}

function whatNow({ kind, why, inbox_email }: DeadLink): Markup | string {
  if (kind === "sign_in") return "Ask for a new letter here: it comes at once, with a code and a link.";
  if (kind === "recover" && why === "replaced") return "Open the newest letter, or ask for another one.";
  if (kind === "recover") return "Ask for a new letter: it comes at once.";
  if (kind === "forward")
    return "If you want that mail, open the link of the newest email, or let the agent ask again.";
  if (inbox_email === null) return "You can close this page.";
  const agent = html`<a href="mailto:${inbox_email}">${inbox_email}</a>`;
  if (why === "replaced") return html`Open the newest letter from ${agent}, or enter its code here.`;
  if (kind === "confirm" || why === "not_owner")
    return html`To go on: Ask ${agent}, or whoever set it up, to invite you again: that sends you a new letter at once.`;
  return html`Look for a newer letter from ${agent}, or write to that address: your agent reads it.`;
}
