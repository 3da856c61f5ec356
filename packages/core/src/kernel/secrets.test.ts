import { expect, test } from "vitest";
import { createSeal, randomWord, sameSecret } from "./secrets.ts";

const [older, newer] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];

test("a sealed text does not contain the plain text, and differs each time", () => {
  const seal = createSeal([newer]);
  const sealed = seal.seal("the word");
  expect(sealed).not.toContain(Buffer.from("the word").toString("base64url"));
  expect(seal.seal("the word")).not.toBe(sealed);
  expect(seal.open(sealed)).toBe("the word");
});

test("a modified sealed text is rejected", () => {
  const seal = createSeal([newer]);
  const [id = "", coded = ""] = seal.seal("the word").split(".");
  const bytes = Buffer.from(coded, "base64url");
  for (const place of [0, 12, bytes.length - 1]) {
    const changed = Buffer.from(bytes);
    changed[place] = (changed[place] ?? 0) ^ 1;
    expect(() => seal.open(`${id}.${changed.toString("base64url")}`)).toThrow("authenticate");
  }
});

test("a text sealed with an older key opens while that key is configured", () => {
  const sealed = createSeal([older]).seal("the word");
  expect(createSeal([newer, older]).open(sealed)).toBe("the word");
  expect(() => createSeal([newer]).open(sealed)).toThrow("lacks a key that was used before");
});

test("a MAC differs by text, purpose and key, and one of an older key is still among those that verify", () => {
  const seal = createSeal([newer, older]);
  const mac = seal.mac("paths", "msg_1");
  expect(mac).toMatch(/^[0-9a-f]{64}$/);
  expect(seal.mac("paths", "msg_1")).toBe(mac);
  const others = [
    seal.mac("paths", "msg_2"),
    seal.mac("codes", "msg_1"),
    createSeal([older]).mac("paths", "msg_1"),
  ];
  expect(new Set([mac, ...others]).size).toBe(4);
  expect(seal.macs("paths", "msg_1")).toEqual([mac, others[2]]);
  expect(createSeal([newer]).macs("paths", "msg_1")).not.toContain(others[2]);
});

test.each([[[]], [[new Uint8Array(16)]]])("invalid keys are rejected: %j", (keys) => {
  expect(() => createSeal(keys)).toThrow("32 bytes");
});

test("secrets of any length are compared", () => {
  expect(sameSecret("a", "a")).toBe(true);
  for (const other of ["b", "", "aa"]) expect(sameSecret("a", other)).toBe(false);
});

test("a random word has the given length, letters and digits, and differs each time", () => {
  expect(randomWord(40)).toMatch(/^[0-9A-Za-z]{40}$/);
  expect(randomWord(40)).not.toBe(randomWord(40));
});
