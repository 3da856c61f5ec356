/** Mails that block careless parsers for seconds: a folded header, nesting, many parts, deep HTML, long lines. */
export function createHostileMails(to: string): Buffer[] {
  const head = `From: a@hostile.example.com\r\nTo: ${to}\r\nSubject: hello\r\n`;
  const folded = `${head}X-Long: ${"a\r\n ".repeat(60_000)}b\r\n\r\nhello\r\n`;
  const nested = Array.from(
    { length: 400 },
    (_, depth) => `Content-Type: multipart/mixed; boundary="b${depth}"\r\n\r\n--b${depth}\r\n`,
  ).join("");
  const parts = `${head}Content-Type: multipart/mixed; boundary=b\r\n\r\n${"--b\r\n\r\nx\r\n".repeat(20_000)}--b--\r\n`;
  const deep = `${head}Content-Type: text/html\r\n\r\n${"<div>".repeat(60_000)}hello\r\n`;
  const lines = `${head}\r\n${"> ".repeat(100_000)}\r\n${"\r\n".repeat(100_000)}`;
  return [folded, `${head}${nested}`, parts, deep, lines].map((mail) => Buffer.from(mail));
}
