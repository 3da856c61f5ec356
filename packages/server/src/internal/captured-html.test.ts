import { expect, test } from "vitest";
import { capturedHtml, hasRemotePictures } from "./captured-html.ts";

const picture = {
  ...{ filename: "a.png", content_id: "logo@x", disposition: "inline" as const },
  bytes: Buffer.from("abc"),
};
const BASE = '<base target="_blank">';

test.each<[what: string, html: string | null, shown: string]>([
  ["plain HTML", "<p>Hi</p>", `<!doctype html>${BASE}<p>Hi</p>`],
  ["a doctype of its own", ' <!DOCTYPE html PUBLIC "x"><p>', ` <!DOCTYPE html PUBLIC "x">${BASE}<p>`],
  ["a picture that came with it", '<img src="cid:logo@x">', '<img src="data:image/png;base64,YWJj">'],
  ["a picture that didn't", "<img src='CID:other'>", "<img src='CID:other'>"],
  ["no HTML", null, `<!doctype html>${BASE}`],
])("the frame of %s", (_what, html, shown) => {
  const attachments = [{ ...picture, content_type: "image/png" }];
  expect(capturedHtml({ html, attachments })).toContain(shown);
});

test("what calls itself a picture of vectors, or no picture, stays away", () => {
  const attachments = [{ ...picture, content_type: "image/svg+xml" }];
  expect(capturedHtml({ html: "<img src=cid:logo@x>", attachments })).toContain("<img src=cid:logo@x>");
});

test.each([
  ['<img src="https://a.example/p.gif">', true],
  ["<img alt=x SRC = //a.example/p.gif>", true],
  ["<td background='http://a.example/p.gif'>", true],
  ['<img src="cid:logo">', false],
  ['<a href="https://a.example">src</a>', false],
])("%s names a picture of another server: %s", (html, remote) => {
  expect(hasRemotePictures(html)).toBe(remote);
});
