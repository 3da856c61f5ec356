import { z } from "zod";
import { fail } from "../../catalogue/errors.ts";
import { InboxId, MessageId } from "../../catalogue/id-inputs.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import type { InboxContext } from "../../kernel/context.ts";
import { operation } from "../../kernel/operation.ts";
import { findBody, findMessage, isHeld } from "../../mailbox/messages/index.ts";
import { MessageView } from "../../model/file-links.ts";
import type { MessageRecord } from "../../model/messages.ts";
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
      const view = { message_id, attachment_id: null, view: { images: fetched } };
      const { word, expires_at } = await newLink(ctx, view, LIMITS.view_ms);
      const url = `${ctx.options.baseUrl}/view/${word}`;
      return { url, expires_at, remote_images: remote.length - fetched.length };
    },
  }),
};

/** Checks that the remote images of a mail may be fetched, by who sent it. Fails with `remote_images_refused`. */
async function checkFetch({ storage, inbox, caller }: InboxContext, message: MessageRecord): Promise<void> {
  const { decisions } = await findBody(storage, message);
  const own = decisions !== null && (await isOwn(storage, inbox, decisions));
  const sender = own ? decisions.sent_by : undefined;
  const inboxes = [inbox, ...(sender === undefined ? [] : [await storage.get("inboxes", sender.inbox_id)])];
  checkMayFetch(caller.type, { ...message, own }, inboxes);
}
