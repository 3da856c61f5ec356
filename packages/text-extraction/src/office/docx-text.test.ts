import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DocxPart, docxOf, paragraph, xlsxOf } from "../../test/office.ts";
import { zipOf } from "../../test/zip.ts";
import { createTextExtraction, type ThreadedTextExtraction } from "../text-extraction.ts";

let extraction: ThreadedTextExtraction;
beforeAll(() => {
  extraction = createTextExtraction({ threads: 1 });
});
afterAll(() => extraction.close());

const read = async (bytes: Uint8Array) => (await extraction.extract({ bytes, kind: "docx" })).text;
const run = (text: string, properties = "") => `<w:r><w:rPr>${properties}</w:rPr><w:t>${text}</w:t></w:r>`;
const ofProperties = (properties: string, content: string) =>
  `<w:p><w:pPr>${properties}</w:pPr>${content}</w:p>`;
const box = (text: string) => `<w:txbxContent>${paragraph(text)}</w:txbxContent>`;
const choice = (first: string, second: string) =>
  `<mc:AlternateContent><mc:Choice>${first}</mc:Choice><mc:Choice>${second}</mc:Choice><mc:Fallback>${second}</mc:Fallback></mc:AlternateContent>`;

describe("what a person sees is read:", () => {
  test.each<[string, string, string]>([
    [
      "a drop cap belongs to its word",
      ofProperties('<w:framePr w:dropCap="drop" w:lines="3"/>', run("O")) + paragraph("nce upon a time"),
      "Once upon a time",
    ],
    ["tab stops are no text", ofProperties('<w:tabs><w:tab w:val="left"/></w:tabs>', run("a")), "a"],
    [
      "a text box is read once, below its paragraph",
      `<w:p>${run("Before ")}<w:r>${choice(box("Boxed"), box("Boxed"))}</w:r>${run("after")}</w:p>${paragraph("End")}`,
      "Before after\nBoxed\nEnd",
    ],
    [
      "a text box of an old version is read",
      `<w:p><w:r><w:pict><v:textbox>${box("Old box")}</v:textbox></w:pict></w:r></w:p>`,
      "\nOld box",
    ],
    [
      "a text box in a table stays in its cell",
      `<w:tbl><w:tr><w:tc><w:p>${run("a")}<w:r>${box("b")}</w:r></w:p></w:tc><w:tc>${paragraph("c")}</w:tc></w:tr></w:tbl>`,
      "a b\tc",
    ],
    [
      "readings above words are left out",
      "<w:p><w:ruby><w:rt><w:r><w:t>kan</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>漢</w:t></w:r></w:rubyBase></w:ruby></w:p>",
      "漢",
    ],
  ])("%s", async (_, body, text) => {
    expect(await read(docxOf(body))).toBe(text);
  });
});

describe("tracked changes count as accepted:", () => {
  test.each<[string, string, string]>([
    ["inserted text", `<w:p><w:ins>${run("new")}</w:ins></w:p>`, "new"],
    ["deleted text", "<w:p><w:del><w:r><w:delText>old</w:delText></w:r></w:del></w:p>", ""],
    [
      "moved text",
      `<w:p><w:moveFrom>${run("here")}</w:moveFrom><w:moveTo>${run("there")}</w:moveTo></w:p>`,
      "there",
    ],
    [
      "a deleted end of a paragraph",
      ofProperties("<w:rPr><w:del/></w:rPr>", run("one ")) + paragraph("line"),
      "one line",
    ],
    [
      "properties of before",
      `<w:p>${run("seen", "<w:rPrChange><w:rPr><w:vanish/></w:rPr></w:rPrChange>")}</w:p>`,
      "seen",
    ],
  ])("%s", async (_, body, text) => {
    expect(await read(docxOf(body))).toBe(text);
  });
});

describe("hidden text is left out:", () => {
  const styles: DocxPart = {
    role: "styles",
    data: `<w:styles><w:style w:styleId="Secret"><w:rPr><w:vanish/></w:rPr></w:style>
      <w:style w:styleId="Child"><w:basedOn w:val="Secret"/></w:style>
      <w:style w:styleId="Shown"><w:basedOn w:val="Secret"/><w:rPr><w:vanish w:val="0"/></w:rPr></w:style>
      <w:style w:styleId="Loop"><w:basedOn w:val="Loop"/></w:style></w:styles>`,
  };
  test.each<[string, string, boolean]>([
    ["hidden by itself", run("x", "<w:vanish/>"), false],
    ["shown after all", run("x", '<w:vanish w:val="false"/>'), true],
    ["of one point", run("x", '<w:sz w:val="2"/>'), false],
    ["of two points", run("x", '<w:sz w:val="4"/>'), true],
    ["hidden by its style", run("x", '<w:rStyle w:val="Secret"/>'), false],
    ["hidden by a style above", run("x", '<w:rStyle w:val="Child"/>'), false],
    ["shown by its style", run("x", '<w:rStyle w:val="Shown"/>'), true],
    ["of a style based on itself", run("x", '<w:rStyle w:val="Loop"/>'), true],
    [
      "in a paragraph of a hidden style",
      '<w:pPr><w:pStyle w:val="Secret"/></w:pPr><w:r><w:t>x</w:t></w:r>',
      false,
    ],
    ["after the hidden mark of a paragraph", `<w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr>${run("x")}`, true],
  ])("%s", async (_, runs, shown) => {
    const body = `<w:p>${runs}</w:p>${paragraph("next")}`;
    expect((await read(docxOf(body, [], {}, [styles]))).trim()).toBe(shown ? "x\nnext" : "next");
  });
});

describe("equations are written on one line:", () => {
  const m = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`;
  const e = (text: string) => `<m:e>${m(text)}</m:e>`;
  test.each<[string, string, string]>([
    ["a fraction", `<m:f><m:num>${m("a+b")}</m:num><m:den>${m("2")}</m:den></m:f>`, "(a+b)/2"],
    ["a power", `<m:sSup>${e("x")}<m:sup>${m("2")}</m:sup></m:sSup>`, "x^2"],
    ["an index", `<m:sSub>${e("x")}<m:sub>${m("i+1")}</m:sub></m:sSub>`, "x_(i+1)"],
    ["a root", `<m:rad><m:deg>${m("3")}</m:deg>${e("x")}</m:rad>`, "3√x"],
    [
      "a sum",
      `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>${m("i=1")}</m:sub><m:sup>${m("n")}</m:sup>${e("i")}</m:nary>`,
      "∑_(i=1)^n i",
    ],
    ["an integral", `<m:nary><m:sub/><m:sup/>${e("f")}</m:nary>`, "∫ f"],
    [
      "brackets",
      `<m:d><m:dPr><m:begChr m:val="["/><m:sepChr m:val=";"/><m:endChr m:val="]"/></m:dPr>${e("a")}${e("b")}</m:d>`,
      "[a;b]",
    ],
    ["a function", `<m:func><m:fName>${m("sin")}</m:fName>${e("x")}</m:func>`, "sin x"],
    ["a matrix", `<m:m><m:mr>${e("1")}${e("0")}</m:mr><m:mr>${e("0")}${e("1")}</m:mr></m:m>`, "[1, 0; 0, 1]"],
    ["one in another", `<m:sSup><m:e><m:d>${e("x")}</m:d></m:e><m:sup>${m("2")}</m:sup></m:sSup>`, "(x)^2"],
  ])("%s", async (_, math, text) => {
    expect(await read(docxOf(`<w:p>${run("so ")}<m:oMath>${math}</m:oMath></w:p>`))).toBe(`so ${text}`);
  });
});

describe("parts are found by what they are", () => {
  const chart: DocxPart = {
    role: "chart",
    data: "<c:chartSpace><c:title><a:p><a:r><a:t>Sales</a:t></a:r></a:p></c:title><c:ser><c:tx><c:strCache><c:pt><c:v>Tea</c:v></c:pt></c:strCache></c:tx><c:val><c:numCache><c:pt><c:v>4.3</c:v></c:pt></c:numCache></c:val></c:ser></c:chartSpace>",
  };
  const diagram: DocxPart = {
    role: "diagramData",
    data: "<dgm:dataModel><dgm:pt><dgm:t><a:p><a:r><a:t>Step</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:dataModel>",
  };

  test("the words of charts and diagrams follow the document", async () => {
    expect(await read(docxOf(paragraph("Body"), [], {}, [diagram, chart]))).toBe("Body\nSales\nTea\nStep");
  });

  test.each(["word/document2.xml", "main.xml", "a/b/Text.XML"])("a document in %s", async (name) => {
    expect(await read(docxOf(paragraph("Body"), [], { name }, [chart]))).toBe("Body\nSales\nTea");
  });

  test("a workbook in another folder", async () => {
    expect(await read(xlsxOf("<row><c><v>1</v></c></row>", { folder: "book" }))).toBe("1\n");
  });

  test("a document of the strict kind", async () => {
    const strict = "http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument";
    const bytes = zipOf([
      {
        name: "w/d.xml",
        data: `<d:document xmlns:d="http://purl.oclc.org/ooxml/wordprocessingml/main">${paragraph("Body").replaceAll("w:", "d:")}</d:document>`,
      },
      {
        name: "_rels/.rels",
        data: `<r:Relationships><r:Relationship Type="${strict}" Target="/w/d.xml"/></r:Relationships>`,
      },
    ]);
    expect(await read(bytes)).toBe("Body");
  });

  test("parts elsewhere on the internet are not read", async () => {
    const bytes = zipOf([
      { name: "word/document.xml", data: `<w:document>${paragraph("Body")}</w:document>` },
      {
        name: "_rels/.rels",
        data: '<Relationships><Relationship TargetMode="External" Type="x/officeDocument" Target="word/document.xml"/></Relationships>',
      },
    ]);
    await expect(read(bytes)).rejects.toMatchObject({ code: "text_extraction_failed" });
  });

  test("too many relationships are too large", async () => {
    const one = '<Relationship Type="x/image" Target="i.png"/>';
    const many = Array.from({ length: 20_001 }, (_, index) =>
      one.replace("i.png", `${(index * 7919) % 99_991}.png`),
    );
    const bytes = docxOf(paragraph("Body"), [
      { name: "x/_rels/y.xml.rels", data: `<Relationships>${many.join("")}</Relationships>` },
    ]);
    await expect(read(bytes)).rejects.toMatchObject({ code: "attachment_too_large" });
  });

  test.each(["rels", "styles"])("deeply nested %s are too large", async (kind) => {
    const data = Array.from({ length: 2_000 }, (_, index) => `<e${(index * 7919) % 9_973}>`).join("");
    const more = kind === "rels" ? [{ name: "x/_rels/y.xml.rels", data }] : [];
    const bytes = docxOf(paragraph("Body"), more, {}, kind === "rels" ? [] : [{ role: "styles", data }]);
    await expect(read(bytes)).rejects.toMatchObject({ code: "attachment_too_large" });
  });
});
