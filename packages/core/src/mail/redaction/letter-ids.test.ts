import { expect, test } from "vitest";
import { createTestService } from "../../../testing/index.ts";
import { letterIdsIn } from "./letter-ids.ts";

const { makeId } = createTestService().letterslot.services;
const message = makeId("msg").slice("msg_".length);
const job = makeId("job");
const LONG = "x".repeat(20);

test.each<[string, string[]]>([
  [`<${message}@mail.test>`, [`<${message}@mail.test>`]],
  [`${message}@mail.test`, [`<${message}@mail.test>`]],
  [`See ${message.toUpperCase()}@Mail.Test.`, [`<${message}@mail.test>`]],
  [`<no-reply.${job}.1@mail.test>`, [`<no-reply.${job}.1@mail.test>`]],
  [`NO-REPLY.${job.toUpperCase()}.123456789@mail.test`, [`<no-reply.${job}.123456789@mail.test>`]],
  [`a@b,${message}@c.test,d@e`, [`<${message}@c.test>`]],
  [`x${message}@mail.test`, []],
  [`ada.${message}@mail.test`, []],
  [`${message.slice(1)}@mail.test`, []],
  [`<${LONG}@mail.test>`, []],
  [`no-reply.${job}@mail.test`, []],
  [`no-reply.${job}.@mail.test`, []],
  [`no-reply.${job}.1234567890@mail.test`, []],
  [`no-reply.job_${LONG}.1@mail.test`, []],
  ["@", []],
  [".@", []],
  ["ada@example.com", []],
])("the Message-IDs of ours in %s are %j", (text, expected) => {
  expect(letterIdsIn(text)).toEqual(expected);
});
