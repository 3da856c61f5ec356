import { beforeEach, describe, expect, test } from "vitest";
import { createTestService, type TestAccount, type TestService } from "../../../testing/service.ts";
import { fail } from "../../catalogue/errors.ts";
import { newLetterWord } from "../../catalogue/letter-words.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import type { ExtractedText } from "../../model/attachments.ts";
import type { TextExtraction } from "../../ports/text-extraction.ts";

const hour = 3600_000;

describe("the text of an attachment", () => {
  let service: TestService;
  let ada: TestAccount;
  let reads: string[];
  let outcome: () => ExtractedText;
  const textExtraction: TextExtraction = {
    async extract({ bytes, kind, charset }) {
      reads.push(
        [kind, charset, new TextDecoder().decode(bytes)].filter((each) => each !== undefined).join(" "),
      );
      return outcome();
    },
  };

  beforeEach(async () => {
    reads = [];
    outcome = () => ({ text: "Grüße", truncated: false });
    service = createTestService({ textExtraction });
    ada = await service.signUp();
  });

  async function send(filename: string, content_type: string, content: string) {
    const attachments = [{ filename, content_type, content_base64: Buffer.from(content).toString("base64") }];
    const before = reads.length;
    const message = await ada.as.messages.send({
      inbox_id: ada.inbox.id,
      to: ["eve@example.com"],
      subject: "Files",
      text: "There.",
      attachments,
    });
    const [attachment] = message.attachments;
    if (attachment === undefined) throw new Error("the message has no attachment");
    // What leaves was looked through.
    reads.splice(before);
    return {
      message,
      attachment,
      place: { inbox_id: ada.inbox.id, message_id: message.id, attachment_id: attachment.id },
    };
  }

  test("is no download where other bytes are stored than came", async () => {
    const { message, place } = await send("a.txt", "text/plain", "hello");
    const { storage } = service.letterslot.services;
    const stored = await storage.get("messages", message.id);
    const attachments = (stored?.attachments ?? []).map((each) => ({ ...each, size_bytes: 4 }));
    await storage.update("messages", { id: message.id }, { attachments });
    await expect(ada.as.attachments.get(place)).rejects.toMatchObject({ code: "storage_unavailable" });
  });

  test("is searched again for what a letter says when it is asked for", async () => {
    await service.addOwner(ada, "grace@example.com");
    const publicly = service.letterslot.as({ type: "public", ip: "203.0.113.9" });
    await publicly.sessions.start({ email: "grace@example.com" });
    await service.work();
    const code = service.codeFor("grace@example.com");
    const other = code === "482913" ? "482914" : "482913";
    const word = newLetterWord();
    outcome = () => ({
      text: `Code ${code}, order ${other}, https://x.example/?t=${word}`,
      truncated: false,
    });
    const { place } = await send("a.pdf", "application/pdf", "%PDF");
    const textOf = async () => new TextDecoder().decode((await ada.as.attachments.text(place)).bytes);
    expect(await textOf()).toBe(`Code [code removed], order ${other}, [link removed]`);
    await service.clock.advance(hour);
    expect(await textOf()).toBe(`Code ${code}, order ${other}, [link removed]`);
  });

  test("is returned as a plain-text download, and extracted once", async () => {
    const { place, attachment } = await send("größe.pdf", "application/pdf", "%PDF");
    expect(attachment.text_url).toBe(`${attachment.url}/text`);
    const first = await ada.as.attachments.text(place);
    expect(new TextDecoder().decode(first.bytes)).toBe("Grüße");
    expect(first.headers).toMatchObject({
      "Content-Type": "text/plain; charset=utf-8",
      "Content-Disposition": "attachment; filename=\"gr__e.pdf\"; filename*=UTF-8''gr%C3%B6%C3%9Fe.pdf",
      "X-Content-Type-Options": "nosniff",
      "Content-Security-Policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
      "Cache-Control": "private",
    });
    expect(await ada.as.attachments.text(place)).toEqual(first);
    expect(reads).toEqual(["pdf %PDF"]);
  });

  test("is extracted once for the same bytes in another message, and again as another kind", async () => {
    await ada.as.attachments.text((await send("a.pdf", "application/pdf", "same")).place);
    await ada.as.attachments.text((await send("b.pdf", "application/pdf", "same")).place);
    await ada.as.attachments.text((await send("b.txt", "text/plain", "same")).place);
    for (const charset of ["koi8-r", "gb2312", "KOI8-R"])
      await ada.as.attachments.text((await send("c.txt", `text/plain; charset=${charset}`, "same")).place);
    await ada.as.attachments.text((await send("d.eml", "message/rfc822", "same")).place);
    expect(reads).toEqual(["pdf same", "text same", "text koi8-r same", "text gb2312 same", "mail same"]);
  });

  test.each(["text_extraction_failed", "attachment_too_large"] as const)(
    "%s is cached and returned again",
    async (code) => {
      outcome = () => {
        throw fail(code);
      };
      const { place } = await send("a.pdf", "application/pdf", "bad");
      await expect(ada.as.attachments.text(place)).rejects.toMatchObject({ code });
      outcome = () => ({ text: "now good", truncated: false });
      await expect(ada.as.attachments.text(place)).rejects.toMatchObject({ code });
      expect(reads).toHaveLength(1);
    },
  );

  test("a temporary failure is not cached", async () => {
    outcome = () => {
      throw fail("rate_limited");
    };
    const { place } = await send("a.pdf", "application/pdf", "good");
    await expect(ada.as.attachments.text(place)).rejects.toMatchObject({ code: "rate_limited" });
    outcome = () => ({ text: "good", truncated: false });
    expect((await ada.as.attachments.text(place)).bytes).toEqual(new TextEncoder().encode("good"));
  });

  test("is unsupported for other types and without an extractor; then there is no text_url", async () => {
    const { place, attachment } = await send("a.png", "image/png", "png");
    expect(attachment).not.toHaveProperty("text_url");
    await expect(ada.as.attachments.text(place)).rejects.toMatchObject({
      code: "text_extraction_unsupported",
    });
    service = createTestService();
    ada = await service.signUp();
    const plain = await send("a.txt", "text/plain", "text");
    expect(plain.attachment).not.toHaveProperty("text_url");
    await expect(ada.as.attachments.text(plain.place)).rejects.toMatchObject({
      code: "text_extraction_unsupported",
    });
  });

  test("over 10 MB is too large, and not read", async () => {
    const { place } = await send("a.txt", "text/plain", "x".repeat(LIMITS.attachment_text_input_bytes + 1));
    await expect(ada.as.attachments.text(place)).rejects.toMatchObject({ code: "attachment_too_large" });
    expect(reads).toEqual([]);
  });

  test("is withheld while its message is held, and not found for another account", async () => {
    const { place, message } = await send("a.txt", "text/plain", "text");
    const { storage } = service.letterslot.services;
    await storage.update("messages", { id: message.id }, { labels: [...message.labels, "held"] });
    await expect(ada.as.attachments.text(place)).rejects.toMatchObject({ code: "message_held" });
    const eve = await service.signUp("eve");
    await expect(eve.as.attachments.text(place)).rejects.toMatchObject({ code: "inbox_not_found" });
    await expect(eve.as.attachments.text({ ...place, inbox_id: eve.inbox.id })).rejects.toMatchObject({
      code: "message_not_found",
    });
    await expect(ada.as.attachments.text({ ...place, attachment_id: "att_none" })).rejects.toMatchObject({
      code: "attachment_not_found",
    });
    expect(reads).toEqual([]);
  });

  test("is deleted with the blob", async () => {
    const { place, message } = await send("a.txt", "text/plain", "text");
    await ada.as.attachments.text(place);
    await service.work();
    const { storage } = service.letterslot.services;
    const record = await storage.get("messages", message.id);
    const hash = record?.attachments[0]?.hash ?? "";
    expect(await storage.count("attachment_texts", { hash }, 2)).toBe(1);
    await ada.as.messages.delete({ inbox_id: ada.inbox.id, message_id: message.id, permanent: true });
    await service.clock.advance(2 * hour);
    await service.work();
    expect(await storage.count("attachment_texts", { hash }, 2)).toBe(0);
  });
});
