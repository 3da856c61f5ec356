import { describe, expect, test } from "vitest";
import { attached } from "../../../../test/screened-mail.ts";
import { attachmentSignals } from "./attachment-signals.ts";

const ZIP = "PK\u0003\u0004\u0014\0";
const PE = `MZ${"\0".repeat(70)}PE\0\0`;

describe("an attachment", () => {
  test.each<[string, ReturnType<typeof attached>, string, string[]]>([
    ["a PDF", attached("report.pdf", "%PDF-1.7"), "", []],
    ["a plain document", attached("report.docx", `${ZIP}\0\0`), "", []],
    ["a dotted name", attached("report.v2.final.pdf", "%PDF-1.7"), "", []],
    ["a program", attached("setup.exe", PE), "", ["attachment_program"]],
    ["a script", attached("run.js"), "", ["attachment_program"]],
    ["a shortcut", attached("Scan.LNK"), "", ["attachment_program"]],
    ["a second extension", attached("invoice.pdf.exe", PE), "", ["attachment_double_extension"]],
    [
      "a second extension behind blanks and dots",
      attached("invoice.pdf   .scr. "),
      "",
      ["attachment_double_extension"],
    ],
    ["a program named as a picture", attached("photo.jpg", PE), "", ["attachment_disguised"]],
    ["a text that begins with MZ", attached("notes.txt", "MZ is the code of Mozambique"), "", []],
    [
      "a reversed name",
      attached("invoice\u202Efdp.exe"),
      "",
      ["attachment_name_reversed", "attachment_program"],
    ],
    ["a macro document by name", attached("plan.xlsm"), "", ["attachment_macro"]],
    [
      "a macro document by content",
      attached("plan.docx", `${ZIP}\0\0 word/vbaProject.bin`),
      "",
      ["attachment_macro"],
    ],
    ["a web page", attached("voice.html", "<p>Hello"), "", ["attachment_html"]],
    [
      "a web page with a script",
      attached("voice.htm", "<script>location='x'</script>"),
      "",
      ["attachment_html_script"],
    ],
    ["a disk image", attached("order.iso"), "", ["attachment_disk_image"]],
    ["a locked archive", attached("files.zip", `${ZIP}\u0001\0`), "", ["attachment_locked"]],
    [
      "a locked archive and its password",
      attached("files.zip", `${ZIP}\u0001\0`),
      "the password is 1234",
      ["attachment_locked", "attachment_password"],
    ],
    [
      "an archive and its password in German",
      attached("files.rar"),
      "passwort: geheim",
      ["attachment_password"],
    ],
    ["an archive and a word on passwords", attached("files.zip", ZIP), "your password expires soon", []],
  ])("%s", (_, attachment, text, types) => {
    expect(attachmentSignals([attachment], text).map(({ type }) => type)).toEqual(types);
  });
});
