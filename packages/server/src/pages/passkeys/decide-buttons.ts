import type { ApprovalReview } from "@letterslot/core";
import { html } from "hono/html";
import type { Markup } from "../layout.ts";
import { deviceStatus, type PasskeyOffer } from "./offer.ts";

const button = (value: "approve" | "approve_changes", label: string): Markup =>
  html`<button type="submit" name="decision" value="${value}">${label}</button>`;

/** A button that has the person's passkey sign; hidden where the page's script doesn't run. */
const signing = (value: "approve" | "approve_changes", label: string, quiet = false): Markup =>
  html`<button type="submit" name="decision" value="${value}" data-passkey="decide" data-with-passkeys hidden${quiet ? html` class="quiet lone"` : ""}>${label}</button>`;

type Asked = Pick<ApprovalReview, "approve_with" | "has_passkey">;

/** The button that approves, and where the person has a passkey the one that has it sign; `label` is its verb. */
export function approveButtons({ approve_with, has_passkey }: Asked, label: string): Markup {
  if (approve_with === "session")
    return html`${button("approve", label)}${has_passkey ? signing("approve", `${label} with a passkey`, true) : ""}`;
  return has_passkey ? signing("approve", `${label} with your passkey`) : html``;
}

/** The button that approves a mail as the person changed it. */
export const changesButton = ({ approve_with, has_passkey }: Asked): Markup => {
  if (approve_with === "session") return button("approve_changes", "Approve with changes");
  return has_passkey ? signing("approve_changes", "Approve with changes and your passkey") : html``;
};

/** The note about passkeys before the buttons. */
export function passkeyNote({ approve_with, has_passkey }: Asked, offer: PasskeyOffer | undefined): Markup {
  if (approve_with === "session") return html``;
  if (!has_passkey)
    return html`<p>Approving takes a passkey here that counts for decisions, and you have none. <a href="your-passkeys">Add one</a>: it counts 24 hours later. Rejecting takes none.</p>`;
  return offer === undefined
    ? html`<p class="bad">Approving takes your passkey here, and this server takes none at present. Rejecting takes none.</p>`
    : html`<p class="bad" data-without-passkeys>Approving takes your passkey here. It needs a browser that knows passkeys, with scripts allowed for this page. To reject, a code that we email you is enough.</p>`;
}

/** Where the script says what the device does, and the script. */
export const passkeyEnd = ({ has_passkey }: Asked, offer: PasskeyOffer | undefined): Markup =>
  offer !== undefined && has_passkey ? html`${deviceStatus}${offer.script}` : html``;
