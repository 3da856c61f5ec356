import { describe, expect, test } from "vitest";
import { createTestService } from "../../../../testing/index.ts";
import { file, mailOf, signingIn, text } from "../../../../testing/returned-mail.ts";
import { LIMITS } from "../../../catalogue/limits.ts";
import type { ExtractedText } from "../../../model/attachments.ts";

/** A service that opens files when it is told to, and an owner who is signing in. */
async function opening() {
  const waiting: PromiseWithResolvers<ExtractedText>[] = [];
  const service = createTestService({
    textExtraction: {
      extract() {
        const opened = Promise.withResolvers<ExtractedText>();
        waiting.push(opened);
        return opened.promise;
      },
    },
  });
  const setting = await signingIn(service);
  const { inbox, as, words } = setting;
  let sent = 0;
  // It holds the letter, so that what can't be searched is withheld.
  const raw = () => {
    const pdf = file("a.pdf", `%PDF ${(sent += 1)}`, "application/pdf");
    const subject = `Subject: Mail ${sent}`;
    return { raw: mailOf({ inbox }, [text(words), pdf], [subject]), subject: `Mail ${sent}` };
  };
  const receive = (client_ip: string) => {
    const mail = raw();
    const envelope = { mail_from: "x@desk.example", rcpt_to: [inbox.email], client_ip, helo: null };
    const done = service.letterslot.receive({ raw: mail.raw, envelope, origin: "smtp" });
    return { ...mail, done };
  };
  const fileOf = async (subject: string) => {
    const { data } = await as.messages.list({ inbox_id: inbox.id, limit: 50 });
    return data.find((message) => message.subject === subject)?.attachments[0]?.filename;
  };
  const areWaiting = (count: number) => expect.poll(() => waiting.length).toBe(count);
  const open = () => waiting.forEach((each) => each.resolve({ text: "Nothing.", truncated: false }));
  return { ...setting, receive, fileOf, areWaiting, open };
}

describe("the files of a mail are opened to be searched", () => {
  test("and stay where nothing of a letter is in them", async () => {
    const { receive, fileOf, areWaiting, open } = await opening();
    const mail = receive("192.0.2.1");
    await areWaiting(1);
    open();
    await mail.done;
    expect(await fileOf(mail.subject)).toBe("a.pdf");
  });

  test("for two seconds: what isn't open by then counts as unreadable", async () => {
    const { receive, fileOf, areWaiting, service } = await opening();
    const mail = receive("192.0.2.1");
    await areWaiting(1);
    await service.clock.advance(LIMITS.letter_search_ms);
    await mail.done;
    expect(await fileOf(mail.subject)).toBe("withheld.txt");
  });

  test("in its network's share: a flood from one leaves room for the mail of others", async () => {
    const { receive, fileOf, areWaiting, open } = await opening();
    const share = LIMITS.letter_searches_per_network;
    const flood = Array.from({ length: share }, (_, index) => receive(`192.0.2.${index + 1}`));
    await areWaiting(share);
    const beyond = receive("192.0.2.200");
    await beyond.done;
    expect(await fileOf(beyond.subject)).toBe("withheld.txt");
    const other = receive("198.51.100.7");
    await areWaiting(share + 1);
    open();
    await Promise.all([...flood, other].map(({ done }) => done));
    for (const { subject } of [...flood, other]) expect(await fileOf(subject)).toBe("a.pdf");
    // The capacity in use is free again.
    const later = receive("192.0.2.1");
    await areWaiting(share + 2);
    open();
    await later.done;
    expect(await fileOf(later.subject)).toBe("a.pdf");
  });
});
