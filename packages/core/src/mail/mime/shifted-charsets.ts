const SET = 0x80;

/**
 * Charsets that write two bytes a character in seven bits, between marks that shift in and out, and that the
 * Encoding Standard refuses.
 */
const SHIFTED: Readonly<Record<string, { run: RegExp; inner: string; escapes: RegExp }>> = {
  iso2022kr: { run: /\x0e([^\x0f]*)\x0f?/g, inner: "euc-kr", escapes: /\x1b\$\)C/g },
  iso2022cn: { run: /\x0e([^\x0f]*)\x0f?/g, inner: "gbk", escapes: /\x1b\$\)A/g },
  hzgb2312: { run: /~\{((?:[\x21-\x7d][\x21-\x7e])*)(?:~\}|$)/g, inner: "gbk", escapes: /~\n/g },
};

/**
 * Bytes in ISO-2022-KR (RFC 1557), ISO-2022-CN (RFC 1922) or HZ (RFC 1843); null when `label` (lower case, no
 * separators) is another.
 */
export function decodeShifted(bytes: Uint8Array, label: string): string | null {
  const form = SHIFTED[label];
  if (form === undefined) return null;
  const decoder = new TextDecoder(form.inner);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  return text
    .replace(form.escapes, "")
    .replace(form.run, (_, run: string) =>
      decoder.decode(Buffer.from(run, "latin1").map((byte) => byte | SET)),
    );
}
