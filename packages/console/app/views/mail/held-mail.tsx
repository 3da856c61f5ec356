import type { Message } from "@letterslot/client";
import { may } from "../../api/caller.ts";
import { useCaller } from "../../api/caller-context.ts";
import { useAct } from "../../api/queries.ts";
import { ConfirmButton } from "../../ui/dialog.tsx";
import { shown } from "../../ui/shown.ts";
import { say } from "../../ui/toasts.tsx";
import { words } from "../../words/index.ts";

const text = words.mail.held;

/** Why a mail is held, and the button that gives it to the agent. */
export function HeldMail({ message: { inbox_id, id, safety, from } }: { message: Message }) {
  const { caller } = useCaller();
  const release = useAct(
    (client) => client.messages.release({ inbox_id, message_id: id }),
    ["messages", "threads", "tasks", "approvals"],
  );
  return (
    <div class="grid gap-3 rounded-lg bg-problem-ground p-4 text-problem">
      <p class="font-semibold">{text.title}</p>
      <ul class="list-disc pl-5 text-sm text-ink">
        {(safety?.signals ?? []).map(({ type, detail }) => (
          <li key={type + detail}>{shown(detail)}</li>
        ))}
      </ul>
      {may(caller, "message_release") && (
        <div>
          <ConfirmButton
            label={text.release}
            question={text.question(from)}
            detail={text.detail}
            act={async () => {
              const answer = await release.mutateAsync(undefined);
              say(answer.object === "approval" ? text.asked : text.released);
            }}
          />
        </div>
      )}
    </div>
  );
}
