import { describe, expect, test } from "vitest";
import { callMinutes, isUnderWay, minutesTalked, speakingSeconds } from "./call-rules.ts";

const RECORDING_SECONDS = 120;

describe("how long a text takes to say at most", () => {
  test.for<[text: string, seconds: number, why: string]>([
    ["", 0, "nothing"],
    ["Hello, this is Ada.", 3, "words"],
    ["abcdefghij".repeat(100), 100, "1,000 small letters"],
    ["9".repeat(1_000), 1_000, "1,000 digits, which may be read as long numbers"],
    ["FBI", 2, "capitals, which may be spelled"],
    ["привет", 1, "other alphabets"],
    ["会議は明日", 2, "signs that stand for a syllable or more"],
    ["🎉", 1, "a sign of two code units counts once"],
  ])("%s: %i seconds (%s)", ([text, seconds]) => expect(speakingSeconds(text)).toBe(seconds));
});

describe("the minutes that a call may last", () => {
  test.for<[say: string, mode: "say" | "say_and_record", minutes: number]>([
    ["Hello.", "say", 1],
    ["a".repeat(450), "say", 1],
    ["a".repeat(451), "say", 2],
    ["Hello.", "say_and_record", 3],
    ["a".repeat(1_000), "say", 2],
    ["1".repeat(1_000), "say_and_record", 19],
  ])("%s, %s: %i", ([say, mode, minutes]) => expect(callMinutes(say, mode, RECORDING_SECONDS)).toBe(minutes));
});

describe("what an ended call costs, in minutes, of 3 that were reserved", () => {
  test.for([
    ["completed", 0, 0],
    ["completed", 1, 1],
    ["completed", 60, 1],
    ["completed", 61, 2],
    ["completed", 180, 3],
    ["completed", 600, 3],
    ["completed", null, 3],
    ["no-answer", 0, 0],
    ["no-answer", null, 0],
    ["failed", 30, 0],
    ["failed", null, 0],
  ] as const)("%s after %s seconds: %i", ([status, duration_seconds, minutes]) =>
    expect(minutesTalked(status, duration_seconds, 3)).toBe(minutes),
  );
});

test.for([
  ["queued", true],
  ["ringing", true],
  ["completed", false],
  ["no-answer", false],
  ["failed", false],
] as const)("a call that is %s is under way: %s", ([status, under_way]) =>
  expect(isUnderWay({ status })).toBe(under_way),
);
