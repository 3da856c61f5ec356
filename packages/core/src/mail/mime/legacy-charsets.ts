/** The upper half of MS-DOS code pages, which the WHATWG Encoding Standard lacks: bytes 0x80 to 0xff. */
const UPPER_HALVES: Readonly<Record<string, string>> = {
  cp437:
    "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0",
  cp850:
    "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0",
  cp852:
    "ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00ad˝˛ˇ˘§÷¸°¨˙űŘř■\u00a0",
};

const ALIASES: Readonly<Record<string, string>> = {
  ibm437: "cp437",
  ibm850: "cp850",
  cp858: "cp850",
  ibm858: "cp850",
  ibm852: "cp852",
};

/** Decodes an MS-DOS code page; null when `label` (lower case, without separators) is another charset. */
export function decodeCodePage(bytes: Uint8Array, label: string): string | null {
  const upper = UPPER_HALVES[ALIASES[label] ?? label];
  if (upper === undefined) return null;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  return text.replace(/[\x80-\xff]/g, (char) => upper.charAt(char.charCodeAt(0) - 0x80));
}

const SET = 0x80;

/**
 * 7-bit charsets with two bytes per character between shift sequences, which the Encoding Standard refuses.
 */
const SHIFTED: Readonly<Record<string, { run: RegExp; inner: string; escapes: RegExp }>> = {
  iso2022kr: { run: /\x0e([^\x0f]*)\x0f?/g, inner: "euc-kr", escapes: /\x1b\$\)C/g },
  iso2022cn: { run: /\x0e([^\x0f]*)\x0f?/g, inner: "gbk", escapes: /\x1b\$\)A/g },
  hzgb2312: { run: /~\{((?:[\x21-\x7d][\x21-\x7e])*)(?:~\}|$)/g, inner: "gbk", escapes: /~\n/g },
};

/**
 * Decodes ISO-2022-KR (RFC 1557), ISO-2022-CN (RFC 1922) or HZ (RFC 1843); null when `label` (lower case,
 * without separators) is another charset.
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

/**
 * Decodes UTF-7 (RFC 2152): runs of modified Base64 between `+` and `-` become UTF-16 code units; the rest is
 * unchanged.
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
