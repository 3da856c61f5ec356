import { describe, expect, test } from "vitest";
import { ABOUT_MACHINES, INJECTIONS } from "../../../test/mail-for-machines.ts";
import { BETWEEN_PEOPLE, REQUESTS } from "../../../test/requests-to-machines.ts";
import { screeningInput } from "../../../test/screened-mail.ts";
import { SUSPICIOUS_FROM } from "../../catalogue/signals.ts";
import { screenMail } from "./screen.ts";

const heldOf = (texts: readonly string[]) =>
  texts.filter(
    (text) => screenMail(screeningInput({ mail: { subject: "", text } })).score >= SUSPICIOUS_FROM,
  );

/** These figures stand in docs/accuracy.md: a change that moves one changes the sentence there too. */
describe("a stranger's mail", () => {
  test("with instructions for a model is held: 58 of 111 that rules were written for, 50 of 110 put aside", () => {
    expect(heldOf(INJECTIONS.DEVELOPED_ON)).toHaveLength(58);
    expect(heldOf(INJECTIONS.PUT_ASIDE)).toHaveLength(50);
    expect([INJECTIONS.DEVELOPED_ON.length, INJECTIONS.PUT_ASIDE.length]).toEqual([111, 110]);
  });

  test("about models and instructions is let through, but for 1 of 35 put aside", () => {
    expect(heldOf(ABOUT_MACHINES.DEVELOPED_ON)).toEqual([]);
    expect(heldOf(ABOUT_MACHINES.PUT_ASIDE)).toHaveLength(1);
    expect([ABOUT_MACHINES.DEVELOPED_ON.length, ABOUT_MACHINES.PUT_ASIDE.length]).toEqual([35, 35]);
  });

  test("with longer requests in English is held: 65 of 115 that rules were written for, 46 of 115 put aside", () => {
    expect(heldOf(REQUESTS.DEVELOPED_ON)).toHaveLength(65);
    expect(heldOf(REQUESTS.PUT_ASIDE)).toHaveLength(46);
    expect([REQUESTS.DEVELOPED_ON.length, REQUESTS.PUT_ASIDE.length]).toEqual([115, 115]);
  });

  test("in the same words between people is let through, but for 2 of 115 put aside", () => {
    expect(heldOf(BETWEEN_PEOPLE.DEVELOPED_ON)).toEqual([]);
    expect(heldOf(BETWEEN_PEOPLE.PUT_ASIDE)).toHaveLength(2);
    expect([BETWEEN_PEOPLE.DEVELOPED_ON.length, BETWEEN_PEOPLE.PUT_ASIDE.length]).toEqual([115, 115]);
  });
});
