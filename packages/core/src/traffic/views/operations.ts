import { z } from "zod";
import { fail } from "../../catalogue/errors.ts";
import { ApprovalId, InboxId, MessageId } from "../../catalogue/id-inputs.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { SIGNED_IN, signedIn } from "../../kernel/access/caller.ts";
import type { InboxContext, Services } from "../../kernel/context.ts";
import { operation } from "../../kernel/operation.ts";
import { findBody, findMessage, isHeld } from "../../mailbox/messages/index.ts";
import { type FileLinkRecord, MessageView } from "../../model/file-links.ts";
import type { MessageRecord } from "../../model/messages.ts";
import { approvalOfPerson, Digest, mailAsRead } from "../../owners/approvals/index.ts";
import { newLink } from "../attachments/index.ts";
import { isOwn } from "../forwarding/own-mail.ts";
import { fetchImages } from "./fetch-images.ts";
import { renderMessage } from "./render-message.ts";
import { checkMayFetch } from "./rules.ts";

/** The operation that shows a mail to a person. */
export const views = {
  view: operation({
    summary:
      "Makes an address at which a browser shows a mail as its author laid it out, for 5 minutes: nothing in it runs or asks for anything.",
    when: "Show a person a mail's HTML, in a frame of your page or in a browser.",
    example: { images: "none" },
    errors: [
      "message_held",
      "remote_images_refused",
      "own_secret",
      "canary_leaked",
      "rate_limited",
      "plan_limit_exceeded",
    ],
    scope: "inbox",
    effect: "read",
    allow: ["message_read"],
    input: z.object({
      inbox_id: InboxId,
      message_id: MessageId,
      images: z
        .enum(["none", "remote"])
        .default("none")
        .describe(
          "`none` shows the images that came with the mail; `remote` also fetches those of other servers, which tells them that the mail is read: for a signed-in person alone.",
        ),
    }),
    output: MessageView,
    async run(ctx, { message_id, images }) {
      const message = await findMessage(ctx.storage, ctx.inbox.id, message_id);
      if (isHeld(message)) throw fail("message_held");
      if (images === "remote") await checkFetch(ctx, message);
      const { remote } = await renderMessage(ctx, message, []);
      const fetched = images === "remote" ? await fetchImages(ctx, remote) : [];
      const made = await newView(ctx, { message_id, view: { images: fetched } });
      return { ...made, remote_images: remote.length - fetched.length };
    },
  }),
};

/** The operation that shows what waits for approval to whoever decides. */
export const approvalViews = {
  view: operation({
    summary:
      "Makes an address at which a browser shows the mail that a signed-in person is asked to approve, exactly as it would leave, for 5 minutes. It shows what has this digest, or nothing; for those who decide alone.",
    when: "Show whoever decides the design of a mail before it leaves, in a frame of your page.",
    example: { digest: "sha-256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" },
    errors: ["authority_required", "approval_not_found", "approval_changed", "draft_not_found"],
    scope: "public",
    effect: "read",
    allow: "any",
    callers: SIGNED_IN,
    input: z.object({
      approval_id: ApprovalId,
      digest: Digest.describe("The digest of what they have read, from the approval."),
    }),
    output: MessageView,
    async run(ctx, { approval_id, digest }) {
      const caller = signedIn(ctx.caller);
      const { approval, decides } = await approvalOfPerson(ctx, caller, approval_id);
      if (!decides) throw fail("authority_required");
      const draft = await mailAsRead(ctx, approval, digest);
      const { inbox_id: id, account_id } = approval;
      const view = { images: [], approval: { id: approval_id, digest } };
      const made = await newView(
        { ...ctx, caller, inbox: { id, account_id } },
        { message_id: draft.id, view },
      );
      // What may leave names none.
      return { ...made, remote_images: 0 };
    },
  }),
};

/** Makes the address of a view. */
async function newView(
  ctx: Parameters<typeof newLink>[0] & Pick<Services, "options">,
  what: Pick<FileLinkRecord, "message_id" | "view">,
): Promise<{ url: string; expires_at: string }> {
  const { word, expires_at } = await newLink(ctx, { ...what, attachment_id: null }, LIMITS.view_ms);
  return { url: `${ctx.options.baseUrl}/view/${word}`, expires_at };
}

/** Checks that the remote images of a mail may be fetched, by who sent it. Fails with `remote_images_refused`. */
async function checkFetch({ storage, inbox, caller }: InboxContext, message: MessageRecord): Promise<void> {
  const { decisions } = await findBody(storage, message);
  const own = decisions !== null && (await isOwn(storage, inbox, decisions));
  const sender = own ? decisions.sent_by : undefined;
  const inboxes = [inbox, ...(sender === undefined ? [] : [await storage.get("inboxes", sender.inbox_id)])];
  checkMayFetch(caller.type, { ...message, own }, inboxes);
}
