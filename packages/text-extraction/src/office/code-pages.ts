/** Windows and Macintosh code pages (MS-XLS, section 2.4.52) by the names of the Encoding Standard. */
const ENCODINGS: Readonly<Record<number, string>> = {
  866: "ibm866",
  874: "windows-874",
  932: "shift_jis",
  936: "gbk",
  949: "euc-kr",
  950: "big5",
  1200: "utf-16le",
  10_000: "macintosh",
  10_007: "x-mac-cyrillic",
  65_001: "utf-8",
};

/** The tables that SheetJS takes for text that isn't Unicode, such as that of Excel 95 and older. */
export const CODE_PAGES = {
  utils: {
    /** Decodes bytes, or the characters of a binary string; an unknown code page as windows-1252. */
    decode(code_page: number, data: Uint8Array | readonly number[] | string): string {
      const bytes = typeof data === "string" ? Buffer.from(data, "latin1") : Uint8Array.from(data);
      return decoderOf(code_page).decode(bytes);
    },
  },
};

type Decoder = InstanceType<typeof TextDecoder>;

const decoders = new Map<number, Decoder>();

function decoderOf(code_page: number): Decoder {
  const windows = code_page >= 1250 && code_page <= 1258 ? `windows-${code_page}` : "windows-1252";
  const known = decoders.get(code_page);
  const decoder = known ?? new TextDecoder(ENCODINGS[code_page] ?? windows, { ignoreBOM: true });
  if (known === undefined) decoders.set(code_page, decoder);
  return decoder;
}
