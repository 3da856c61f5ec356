import { accountName } from "virtual:names";
import { useState } from "preact/hooks";
import { useCaller } from "../../../api/caller-context.ts";
import { useAct } from "../../../api/queries.ts";
import { ConfirmButton } from "../../../ui/dialog.tsx";
import { TextField } from "../../../ui/form.tsx";
import { say } from "../../../ui/toasts.tsx";
import { words } from "../../../words/index.ts";
import { useInboxes } from "../inbox-names.ts";

const text = words.accountOperations.settings;

/** Ends the account: for one who has written that they mean it, and is asked once more. */
export function DeleteAccount({ account_id }: { account_id: string }) {
  const { reenter } = useCaller();
  const { inboxes } = useInboxes();
  const [written, setWritten] = useState("");
  const remove = useAct((client) => client.account.delete({}), []);
  const act = async () => {
    const { object } = await remove.mutateAsync(undefined);
    say(object === "account" ? text.deleted : text.deleteAsked);
    if (object === "account") reenter();
  };
  const question =
    inboxes.length === 0
      ? text.deleteUnnamed(account_id)
      : text.deleteQuestion(accountName(inboxes.map(({ email }) => email)));
  return (
    <div class="grid justify-items-start gap-3">
      <p class="text-soft">{text.deleteText}</p>
      <div class="w-full">
        <TextField
          label={text.deleteType(text.deleteWord)}
          value={written}
          onValue={setWritten}
          autocomplete="off"
          autocapitalize="off"
        />
      </div>
      {written.trim().toLowerCase() === text.deleteWord && (
        <ConfirmButton
          label={text.delete}
          question={question}
          detail={text.deleteText}
          act={act}
          small={false}
        />
      )}
    </div>
  );
}
