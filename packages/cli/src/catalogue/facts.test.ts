import { expect, test } from "vitest";
import { OPERATIONS } from "./operations.data.ts";

test("an answer is given as it would be written, a value of its type as well", () => {
  for (const name of ["questions.answer", "questions.answerInSession"])
    expect(OPERATIONS[name]?.fields["value"]).toMatchObject({ kind: "text", required: true });
});

test("what only has a form as JSON is taken as JSON", () => {
  expect(OPERATIONS["updates.create"]?.fields["question"]).toMatchObject({ kind: "json" });
  expect(OPERATIONS["inboxes.update"]?.fields["metadata"]).toMatchObject({ kind: "json" });
});
