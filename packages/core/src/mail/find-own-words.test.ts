import { expect, test } from "vitest";
import { newCanaryWord, newLetterWord } from "../catalogue/letter-words.ts";
import { findOwnWords } from "./find-own-words.ts";
import { MAX_DECODED_CHARS } from "./own-words.ts";

const LARGE = 3 * MAX_DECODED_CHARS;

/** A file of so many bytes with a word at a place, in pieces. */
function* fileWith(word: string, at: number, size = LARGE, piece_bytes = 65_536) {
  const bytes = Buffer.alloc(size, ".");
  bytes.write(word, at, "latin1");
  for (let from = 0; from < size; from += piece_bytes) yield bytes.subarray(from, from + piece_bytes);
}

const find = (...files: Iterable<Uint8Array>[]) => findOwnWords(undefined, ["An ordinary text."], files);

test("a word is found anywhere in a large file, also where two of its parts meet", async () => {
  const word = newCanaryWord();
  const meet = Math.ceil(MAX_DECODED_CHARS / 65_536) * 65_536;
  for (const at of [0, meet - 43, meet - 20, meet - 1, meet, LARGE - word.length])
    expect((await find(fileWith(word, at))).canaries, `at ${at}`).toEqual([word]);
});

test("in small files words are found encoded too, in large ones as they are written", async () => {
  const word = newLetterWord();
  const encoded = Buffer.from(`see ${word} now`).toString("base64");
  expect((await find(fileWith(encoded, 100, 10_000))).of_letters).toBe(true);
  expect((await find(fileWith(encoded, 100))).of_letters).toBe(false);
  expect((await find(fileWith(word, 100))).of_letters).toBe(true);
});

test("what many files have is found together", async () => {
  const words = Array.from({ length: 5 }, newCanaryWord);
  const files = words.map((word, index) => fileWith(word, 500, index === 2 ? LARGE : 900_000));
  expect((await find(...files)).canaries.toSorted()).toEqual(words.toSorted());
});
