// An agent with a phone number: it answers texts, and voicemails with a text to the caller. Start a server
// (`npx -y pnpm@12 start`) and create a key. Then run
//   LETTERSLOT_API_KEY=ls_live_… node index.ts
// and text or call the agent on the page /phone of the server.
import { setTimeout as after } from "node:timers/promises";
import { createClient, LetterslotApiError, whole } from "@letterslot/client";

const client = createClient({
  baseUrl: process.env["LETTERSLOT_URL"] ?? "http://localhost:8025",
  apiKey: process.env["LETTERSLOT_API_KEY"] ?? "",
});
const stop = new AbortController();
process.once("SIGINT", () => stop.abort()).once("SIGTERM", () => stop.abort());

const [inbox] = (await client.inboxes.list({ limit: 1 })).data;
if (inbox === undefined) throw new Error("The key has no inbox.");
const inbox_id = inbox.id;

// The same request again is answered with the number that the inbox has.
const { e164 } = whole(await client.phoneNumbers.create({ inbox_id, area_code: "415" }));
console.log(`my number is ${e164}`);

/** Replace this with your agent's work. Numbers can be forged: tell and do only what anybody may know and ask for. */
async function answer(words: string): Promise<string> {
  return `You said: ${words}`;
}

while (!stop.signal.aborted) {
  // A long poll: returns as soon as there is an unread message, or an empty list after 25 seconds.
  const page = await client.messages
    .wait({ inbox_id, wait: 25 }, { signal: stop.signal })
    .catch(unlessStopped);
  for (const { id, from } of page?.data ?? []) {
    const words = await wordsOf(id);
    if (words !== undefined) await textBack(from, await answer(words), `answer-${id}`);
    await client.messages.update({ inbox_id, message_id: id, add_labels: ["read"] });
  }
}

/** Returns the words that somebody texted or said; undefined for a mail. */
async function wordsOf(message_id: string): Promise<string | undefined> {
  // A call is transcribed from its recording, which takes a moment and may fail.
  for (let tries = 0; ; tries++) {
    const { channel, text, transcript, duration_seconds } = await client.messages.get({
      inbox_id,
      message_id,
    });
    if (channel === "sms") return text ?? "";
    if (channel !== "voicemail") return undefined;
    if (transcript != null) return transcript;
    if (tries === 10) return `something that took ${duration_seconds} seconds`;
    await after(500);
  }
}

/** Texts somebody. The client_id makes it safe to repeat: after a crash nobody gets two texts. */
async function textBack(to: string, text: string, client_id: string): Promise<void> {
  try {
    await client.messages.sendSms({ inbox_id, to, text, client_id });
    console.log(`answered ${to}: ${text}`);
  } catch (error) {
    // A short code, a foreign or withheld number, or somebody who texted STOP.
    if (!(error instanceof LetterslotApiError) || (error.status ?? 500) >= 500) throw error;
    console.log(`not answered: ${error.code}`);
  }
}

function unlessStopped(error: unknown): undefined {
  if (!stop.signal.aborted) throw error;
}
