import { expect, test } from "vitest";
import { createSeal, randomWord, sameSecret } from "./secrets.ts";

const [older, newer] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];

test("a sealed text shows nothing of itself, and is another one each time", () => {
  const seal = createSeal([newer]);
  const sealed = seal.seal("the word");
  expect(sealed).not.toContain(Buffer.from("the word").toString("base64url"));
  expect(seal.seal("the word")).not.toBe(sealed);
  expect(seal.open(sealed)).toBe("the word");
});

test("a sealed text that was changed is not opened", () => {
  const seal = createSeal([newer]);
  const [id = "", coded = ""] = seal.seal("the word").split(".");
  const bytes = Buffer.from(coded, "base64url");
  for (const place of [0, 12, bytes.length - 1]) {
    const changed = Buffer.from(bytes);
    changed[place] = (changed[place] ?? 0) ^ 1;
    expect(() => seal.open(`${id}.${changed.toString("base64url")}`)).toThrow("authenticate");
  }
});

test("what an older key sealed is opened as long as that key is there", () => {
  const sealed = createSeal([older]).seal("the word");
  expect(createSeal([newer, older]).open(sealed)).toBe("the word");
  expect(() => createSeal([newer]).open(sealed)).toThrow("lacks a key that was used before");
});

test.each([[[]], [[new Uint8Array(16)]]])("keys that are none are refused: %j", (keys) => {
  expect(() => createSeal(keys)).toThrow("32 bytes");
});

test("secrets are the same or not, whatever their lengths", () => {
  expect(sameSecret("a", "a")).toBe(true);
  for (const other of ["b", "", "aa"]) expect(sameSecret("a", other)).toBe(false);
});

test("a random word is as long as asked, of letters and digits, and another one each time", () => {
  expect(randomWord(40)).toMatch(/^[0-9A-Za-z]{40}$/);
  expect(randomWord(40)).not.toBe(randomWord(40));
});
