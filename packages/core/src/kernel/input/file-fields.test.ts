import { expect, test } from "vitest";
import { operationNamed } from "../../letterslot.ts";
import type { OperationName } from "../../operations.ts";
import { fileFields } from "./file-fields.ts";

test.each<[OperationName, string[]]>([
  ["messages.send", ["attachments.content_base64"]],
  ["messages.inject", ["attachments.content_base64", "raw"]],
  ["drafts.update", ["add_attachments.content_base64"]],
  ["messages.list", []],
  ["uploads.create", []],
])("of %s the files are %j", (name, fields) => {
  expect(fileFields(operationNamed(name).input)).toEqual(fields);
});
