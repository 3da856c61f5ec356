import { describe, expect, test } from "vitest";
import { inEachLanguage } from "../words/index.ts";
import { readApprovalReply } from "./read-approval.ts";

const read = (text: string) => readApprovalReply(text, ["Grace Hopper", "grace"]);

describe("a reply approves", () => {
  test.each([
    "APPROVE",
    "Approve.",
    "approved!",
    "Yes",
    "Yes, approve it please",
    "ok, go ahead. Thanks!",
    "Approve\n\nGrace",
    "Approved, thank you\nGrace Hopper",
    "👍 approve",
    "LGTM",
    "Looks good, send it",
    "批准",
    "同意，谢谢",
    "Sí, adelante, gracias",
    "Aprobado",
    "स्वीकृत",
    "ठीक है, धन्यवाद",
    "موافق",
    "نعم، شكرا",
    "Aprovado, obrigada",
    "Approuvé, merci",
    "D’accord",
    "Одобряю, спасибо",
    "Genehmigt, danke",
    "Freigegeben. Viele Grüße",
    "承認します。よろしくお願いします",
    "はい",
    "승인합니다. 감사합니다",
    "Approvo, grazie",
    "Onaylıyorum, teşekkürler",
    "Zatwierdzam",
    "Akkoord",
  ])("%j", (text) => {
    expect(read(text)).toEqual({ verdict: "approve", comment: null });
  });
});

describe("a reply rejects", () => {
  test.each([
    ["REJECT", null],
    ["Reject: the price is wrong", "the price is wrong"],
    ["No.\nToo early, ask me on Monday.", "Too early, ask me on Monday."],
    ["Don't send this", "this"],
    ["Not approved", null],
    ["拒绝", null],
    ["不同意，价格不对", "价格不对"],
    ["No, el precio está mal", "el precio está mal"],
    ["नहीं", null],
    ["لا، السعر خطأ", "السعر خطأ"],
    ["Não, está errado", "está errado"],
    ["Refusé: mauvais prix", "mauvais prix"],
    ["Нет, цена неверна", "цена неверна"],
    ["Abgelehnt, der Preis ist falsch", "der Preis ist falsch"],
    ["却下します", null],
    ["거절합니다", null],
    ["Non, rifai", "rifai"],
  ])("%j", (text, comment) => {
    expect(read(text)).toEqual({ verdict: "reject", comment });
  });
});

describe("a reply is unclear", () => {
  test.each([
    "",
    "What is this about?",
    "Approve, but change the date to Friday",
    "Approve if the price is below 100",
    "Yes to the first part only",
    "approve\nnot yet",
    "Approve\n\nEve Mallory",
    "No problem, approved",
    "Nothing to add, approve",
    "I would approve this if I could read it",
    "Do you want me to approve?",
    "Approved by nobody",
    "yesterday",
    "OK?",
    "可以吗？",
    "Approve 👎",
    "نعم؟",
    "Please change the subject and approve",
  ])("%j", (text) => {
    expect(read(text)).toEqual({ verdict: "unclear" });
  });
});

test.each(inEachLanguage("approvals").map(({ language, words }) => ({ language, ...words })))(
  "every $language phrase alone has the meaning that it is listed under",
  ({ approve, reject }) => {
    for (const phrase of approve)
      expect(readApprovalReply(phrase, []), phrase).toMatchObject({ verdict: "approve" });
    for (const phrase of reject)
      expect(readApprovalReply(phrase, []), phrase).toMatchObject({ verdict: "reject" });
  },
);

test("a comment is cut at its limit, and a very long reply is read quickly", () => {
  const reading = readApprovalReply(`Reject ${"because ".repeat(200_000)}`, []);
  expect(reading).toMatchObject({ verdict: "reject" });
  expect("comment" in reading && reading.comment?.length).toBeLessThanOrEqual(2_000);
});
