const MARKED = /[\u00c0-\u024f\u0370-\u052f\u0622-\u064a\u06a9\u06c0-\u06d5\u1e00-\u1fff]/g;
const BASES = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}]/u;
/** Letters that Unicode doesn't divide into a letter and a mark, and Arabic ones that keyboards mix up. */
const ALIKE: Readonly<Record<string, string>> = {
  đ: "d",
  Đ: "D",
  ł: "l",
  Ł: "L",
  ø: "o",
  Ø: "O",
  ı: "i",
  ي: "ی",
  ى: "ی",
  ك: "ک",
  ة: "ه",
  ۀ: "ه",
};

/** A text with the same number of UTF-16 units whose letters have no marks: "código" and "codigo" become the same. */
export function foldMarks(text: string): string {
  return text.replace(MARKED, (letter) => {
    const alike = ALIKE[letter];
    if (alike !== undefined) return alike;
    const [base = letter] = letter.normalize("NFD");
    return base.length === 1 && BASES.test(base) ? base : letter;
  });
}
