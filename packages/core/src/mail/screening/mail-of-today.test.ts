import { describe, expect, test } from "vitest";
import { FRAUD, HONEST, LET_THROUGH, type Letter, OFFERS } from "../../../test/mail-of-today.ts";
import { screeningInput } from "../../../test/screened-mail.ts";
import { SUSPICIOUS_FROM, screenMail } from "./screen.ts";

const scoreOf = (
  { name, address, subject, body }: Letter,
  sender: Parameters<typeof screeningInput>[0] = {},
) => {
  const markup = body.startsWith("<");
  const mail = { from: [{ name, address }], subject, text: markup ? "" : body, html: markup ? body : null };
  return screenMail(screeningInput({ mail, ...sender })).score;
};

describe("unauthenticated mail from a stranger", () => {
  test.each(FRAUD)("is held when it is fraud: $what", (letter) => {
    expect(scoreOf(letter)).toBeGreaterThanOrEqual(SUSPICIOUS_FROM);
  });

  test.each(LET_THROUGH)("is let through when only its meaning gives it away: $what", (letter) => {
    expect(scoreOf(letter)).toBeLessThan(SUSPICIOUS_FROM);
  });

  test.each([...HONEST, ...OFFERS])("is not held when it is honest: $what", (letter) => {
    expect(scoreOf(letter)).toBeLessThan(SUSPICIOUS_FROM);
  });
});

test.each(OFFERS)("an authenticated sender's offer scores far below the threshold: $what", (letter) => {
  expect(scoreOf(letter, { sender: { authenticated: true, dmarc: "pass" } })).toBeLessThan(
    SUSPICIOUS_FROM / 1.5,
  );
});
