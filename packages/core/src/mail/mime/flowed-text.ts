/**
 * Text of `format=flowed` (RFC 3676): lines that end in a blank are joined with the next of the same quote
 * depth, space stuffing is taken away, and the signature line `-- ` stays a line. With `delsp` the blank goes
 * as well.
 */
export function unflow(text: string, delsp: boolean): string {
  const out: string[] = [];
  let open: { depth: number; pieces: string[] } | null = null;
  const close = () => {
    if (open !== null) out.push(quote(open.depth, open.pieces.join("")));
    open = null;
  };
  for (const line of text.split("\n")) {
    const marks = /^>*/.exec(line)?.[0].length ?? 0;
    const rest = line.slice(marks);
    const content = rest.startsWith(" ") ? rest.slice(1) : rest;
    const flows = content.endsWith(" ") && content !== "-- ";
    if (open !== null && (open.depth !== marks || content === "-- ")) close();
    const piece = flows && delsp ? content.slice(0, -1) : content;
    if (open === null) open = { depth: marks, pieces: [] };
    open.pieces.push(piece);
    if (!flows) close();
  }
  close();
  return out.join("\n");
}

function quote(depth: number, text: string): string {
  return depth === 0 ? text : `${">".repeat(depth)} ${text}`;
}
