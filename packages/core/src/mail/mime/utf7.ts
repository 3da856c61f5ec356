/**
 * Text in UTF-7 (RFC 2152): runs of modified base 64 between `+` and `-` become UTF-16 units; the rest stays
 * as it is.
 */
export function decodeUtf7(text: string): string {
  return text.replace(/\+([A-Za-z0-9+/]*)-?/g, (_, run: string) => (run === "" ? "+" : decodeRun(run)));
}

function decodeRun(run: string): string {
  const bytes = Buffer.from(run, "base64");
  let text = "";
  for (let at = 0; at + 1 < bytes.length; at += 2) {
    text += String.fromCharCode(bytes.readUInt16BE(at));
  }
  return text;
}
