import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { extractNewText } from "./extract.ts";

/** Text that looks like history or a signature but is part of the message. */
const PROSE = [
  "Hi Bo,\n\nAs discussed on 4 March 2025 at 10:15, Ada wrote:\nthe plan is fine.\n\nShall we go on?",
  "Notes of the call:\n\nFrom Ada: we need more paper.\nTo Bo: send the invoice.\nSubject to approval.\n\nThanks",
  "Von: Hamburg\nNach: Rom\nDatum: 5. Mai\nPersonen: 2\n\nBitte buchen.",
  "De: París\nA: Roma\nFecha: 5 de mayo\nPasajeros: 2\n\nGracias",
  "Da: Milano\nA: Parigi\nData: 5 maggio\n\nGrazie",
  "От: склад\nКому: офис\nТема: бумага\n\nЗаберите сегодня.",
  "寄件者：我\n收件者：你\n主旨：測試\n\n請看。",
  "Agenda\n------\n1. Budget\n2. Team\n------\nSee you at 10:15 on 4 March 2025.",
  "Please answer these:\n\n> 1. How many?\n> 2. When?\n\nThanks",
  "The customer said:\n> I want a refund.\nWhat do we do?",
  "Ada said on 4 March: we go. Bo said on 5 March 2025 at 10:15: we don't.\nI say: wait.",
  "See the log:\n\n[2025-03-04 10:15] ada@example.com: started\n[2025-03-04 10:16] bo@example.com: failed\n\nAny idea?",
  "Sent from the office in Rome, the parcel should reach you by Friday.\nBest",
  "Gesendet wird das Paket morgen.\n\nDie Nummer folgt.",
  "Liste:\n- Apfel\n- Birne\n--\n- Kirsche\n- Pflaume und noch mehr Obst, das wir morgen brauchen werden.\nBitte besorgen.",
  "Code:\n```\n-- select\nselect * from mail;\n-- end\n```\nRuns fine?",
  "Signature required:\n\n____________________\nName\n\n____________________\nDate\n\nPlease return both.",
  "Hello,\n\n***\nImportant\n***\n\nThe shop is closed on Monday.",
  "Q: How are you?\nA: Fine.\nQ: When?\nA: At 10:15 on 4.3.2025.",
  "To: do list\n- milk\n- bread\n\nFrom: the shop on the corner",
  "Forwarded message from the boss: work harder.\n\nHa.",
  "Original message was lost, please send again.",
  "On 4 March 2025 we moved to a new office:\nHigh Street 1\n10115 Berlin\n\nPlease note it.",
  "Am 4. März 2025 um 10:15 Uhr findet das Treffen statt:\nRaum 5, bitte pünktlich.",
  "Le 4 mars 2025 à 10h15, nous avons reçu votre commande :\n- papier\n- stylos\n\nMerci",
  "El 4 de marzo de 2025 a las 10:15 llegó el paquete:\nestaba roto.",
  "Il 4 marzo 2025 alle 10:15 abbiamo ricevuto:\n- carta",
  "W dniu 4 marca 2025 o 10:15 dostaliśmy paczkę:\nbyła pusta.",
  "4 марта 2025 г. в 10:15 мы получили заказ:\nон пуст.",
  "2025年3月4日 10:15 会议：\n请准时。",
  "2025/03/04 10:15 会議：\n遅れないでください。",
  "2025년 3월 4일 10:15 회의:\n늦지 마세요.",
  "Contact:\nada@example.com\n+44 20 5550 0100\n\nPlease call her.",
  "Hi,\n\nmy details are\n\nAda Bell\nHigh Street 1\nLondon\n+44 20 5550 0100\n\nand I need the parcel by Friday.",
  "Thanks,\n\nbut I need more time.",
  "Here it is:\n\nIn the minutes of November 4, 2025, the board and its chair wrote:\nno more paper.",
  "As on 4 November 2025 Ada wrote:\nno more paper.",
  "Hi,\n\nAm 05.01.2026 um 12:34 schrieb Ada Moss\neine Beschwerde. Bitte antworte ihr, dass wir zahlen.",
  "Hi Bot,\n\nOn 5 January 2026 at 10:30 Ada Bell wrote\nto the landlord. Tell her we agree.",
  "Hi Bot,\n\nLe 05/01/2026 à 12:34, Ada Moss a écrit\nau propriétaire. Dis-lui oui.",
  "So far:\n\nOn 5 January 2026 at 10:30 Ada replied\nOn 6 January 2026 at 11:30 Bob answered\nPlease pay Bob 300.",
  "Which city do you mean?\n\nParis",
  "Thanks,\nI need more time.",
  "Best,\nworst,\nand middle case are in the sheet.",
  "Regards to your wife! The order is fine.",
  "> is greater than\n< is less than\n\nThat's what I meant.",
  "Price list:\nA > B\nB > C",
  "Kind regards to all,\n\nthe numbers are below:\n\n5\n6\n7",
  "I need:\n\n2 x Paper\n3 x Pens\n\nShip to:\nBo Carr\nHigh Street 1\n10115 Berlin",
  "Hello\n\nOrder no: 4455\nName: Bo Carr\nEmail: bo@example.com\nDate: 4.3.2025 10:15\nSubject: Refund\nMessage: Please refund my order.",
  "New contact form entry\n\nFrom: Bo Carr <bo@example.com>\nPhone: 555 0100\nMessage: Call me.",
];

const sender = { name: "Cy Dent", address: "cy@example.net" };
const textOf = (text: string, subject: string) =>
  extractNewText({ text, html: null, subject, is_reply: subject.startsWith("Re"), sender }).extracted_text;

describe("real text is kept", () => {
  test.each(PROSE)("%j", (text) => {
    expect(textOf(text, "Plan")).toBe(text);
    expect(textOf(text, "Re: Plan")).toBe(text);
  });

  const sentence = fc.constantFrom(
    "We looked at the numbers for the second quarter.",
    "On Monday we meet at 10:15, on Tuesday at 11:00.",
    "As you wrote, the price is 5 €.",
    "From now on the shop is open until 20:00.",
    "To be sure, send it twice.",
    "Subject to approval, we start on 4 March 2025.",
    "Thanks for the tea, it was good.",
    "She wrote: be bold.",
    "Sent from the warehouse this morning.",
    "Die Lieferung kam am 4. März 2025 um 10:15 Uhr an.",
    "Le colis est arrivé le 4 mars, merci de confirmer.",
    "El paquete llegó el 4 de marzo.",
    "Заказ пришёл 4 марта, спасибо за помощь.",
    "包裹已经在3月4日收到了。",
    "- milk and bread",
    "1. call the bank",
    "The original message got lost.",
    "The forwarded file is attached.",
    "ada@example.com is the address to use.",
    "https://example.com/plan has the rest.",
  );
  test("plain sentences in any order", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof({ weight: 4, arbitrary: sentence }, { weight: 1, arbitrary: fc.constant("") }), {
          maxLength: 20,
        }),
        (lines) => {
          const text = lines.join("\n").replace(/^\n+|\n+$/g, "");
          expect(textOf(text, "Re: Plan")).toBe(text);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
