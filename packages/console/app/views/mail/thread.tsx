import { Archive, Inbox, MailOpen, Trash2 } from "lucide-preact";
import { useState } from "preact/hooks";
import { goBack } from "../../api/address.ts";
import { may } from "../../api/caller.ts";
import { useCaller } from "../../api/caller-context.ts";
import { useAct, useAnswer } from "../../api/queries.ts";
import { ActButton } from "../../ui/act.tsx";
import { Button } from "../../ui/button.tsx";
import { useKeys } from "../../ui/keys.ts";
import { View } from "../../ui/layout.tsx";
import { Answer, Problem } from "../../ui/states.tsx";
import { say } from "../../ui/toasts.tsx";
import { words } from "../../words/index.ts";
import { Labels } from "./labels.tsx";
import { Message } from "./message.tsx";
import { addressOf, labelled, type Place } from "./place.ts";

const text = words.mail;
/** The most that a page of the service has. */
const PAGE = 200;
const SHOWN = 50;

/** A conversation: its messages, oldest first, the newest open. */
export function Thread({ place, thread_id }: { place: Place; thread_id: string }) {
  const { inbox_id } = place;
  const { caller } = useCaller();
  const [shown, setShown] = useState(SHOWN);
  const back = addressOf({ ...place, thread_id: null });
  const thread = useAnswer(["threads", inbox_id, "one", thread_id], async (client) => {
    // The newest messages, which one wants first, are on the last page.
    const found = await client.threads.get({ inbox_id, thread_id, limit: PAGE });
    const messages = [...found.messages];
    let cursor = found.next_cursor;
    while (cursor !== null) {
      const page = await client.threads.get({ inbox_id, thread_id, limit: PAGE, cursor });
      messages.push(...page.messages);
      cursor = page.next_cursor;
    }
    return { ...found, messages };
  });
  const move = useAct(
    (client, folder: "archive" | "inbox") =>
      client.threads.move({ inbox_id, thread_ids: [thread_id], folder }),
    ["threads"],
  );
  const trash = useAct(
    (client) => client.threads.delete({ inbox_id, thread_id }),
    ["threads", "messages", "tasks"],
  );
  const restore = useAct(
    (client) => client.threads.restore({ inbox_id, thread_id }),
    ["threads", "messages", "tasks"],
  );
  const mark = useAct(
    (client, labels: { add_labels?: string[]; remove_labels?: string[] }) =>
      client.threads.update({ inbox_id, thread_id, ...labels }),
    ["threads", "messages"],
  );
  const mayUpdate = may(caller, "thread_update");
  const unread = thread.data?.unread_count ?? 0;
  const putInTrash = () => {
    // What is in the trash can't be read: the view leaves it first.
    goBack(back);
    trash
      .mutateAsync(undefined)
      .then(() => say(text.inTrash, () => restore.mutateAsync(undefined)))
      .catch(say);
  };
  const leave = () => goBack(back);
  useKeys({ u: leave, Escape: leave });
  const markAs = async (to: "read" | "unread") => {
    await mark.mutateAsync({ add_labels: [to] });
    say(text.marked[to], () => mark.mutateAsync({ add_labels: [to === "read" ? "unread" : "read"] }));
  };
  if (thread.data === undefined)
    return (
      <View
        title={thread.error === null ? words.loading : words.failed}
        wide
        back={{ href: back, label: words.back }}
      >
        <Answer of={thread} rows={5}>
          {() => null}
        </Answer>
      </View>
    );
  return (
    <Answer of={thread}>
      {({ subject, folder, messages, labels }) => (
        <View
          title={subject || words.noSubject}
          wide
          back={{ href: back, label: words.back }}
          actions={
            <>
              {mayUpdate && (
                <ActButton
                  icon={folder === "archive" ? Inbox : Archive}
                  act={async () => {
                    const to = folder === "archive" ? "inbox" : "archive";
                    await move.mutateAsync(to);
                    say(text.moved[to], () => move.mutateAsync(to === "inbox" ? "archive" : "inbox"));
                  }}
                >
                  {folder === "archive" ? text.toInbox : text.archive}
                </ActButton>
              )}
              {mayUpdate && (
                <Button
                  small
                  icon={MailOpen}
                  busy={mark.isPending}
                  // Why it failed is said below.
                  onClick={() => void markAs(unread > 0 ? "read" : "unread").catch(() => undefined)}
                >
                  {unread > 0 ? text.markRead : text.markUnread}
                </Button>
              )}
              {may(caller, "message_delete") && (
                <Button small icon={Trash2} busy={trash.isPending} onClick={putInTrash}>
                  {text.delete}
                </Button>
              )}
            </>
          }
        >
          {mark.error && <Problem error={mark.error} />}
          <Labels
            labels={labels}
            hrefOf={(label) => labelled(inbox_id, label)}
            change={mayUpdate ? (changes) => mark.mutateAsync(changes) : null}
          />
          {messages.length > shown && (
            <div>
              <Button small onClick={() => setShown(shown + SHOWN)}>
                {text.earlier(messages.length - shown)}
              </Button>
            </div>
          )}
          {messages.slice(-shown).map((message) => (
            <Message
              key={message.id}
              message={message}
              open={message.id === messages.at(-1)?.id}
              alone={messages.length === 1}
            />
          ))}
        </View>
      )}
    </Answer>
  );
}
