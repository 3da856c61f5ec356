import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { ReceiptError, verifyReceipt } from "@letterslot/client/receipts";
import { describe, expect, test } from "vitest";
import { makeVectors } from "../../scripts/receipt-vectors.ts";
import { readVectors, type Vector } from "./vectors.ts";
import { refusalByJose } from "./verify-with-jose.ts";
import { refusalByNode } from "./verify-with-node.ts";

const { keys, vectors } = readVectors();
const PYTHON = process.env["PYTHON_PATH"] ?? "python3";
/** What needs more than a JWT library. */
const BEYOND_JOSE = new Set(["no_passkey", "invalid_passkey", "invalid_dkim", "other_mail"]);

async function refusalByClient({ jws, expect: expected, eml }: Vector): Promise<string | null> {
  const { approver_keys, ...rest } = expected;
  const passkeys = approver_keys === undefined ? {} : { approverKeys: approver_keys as { kty: string }[] };
  try {
    await verifyReceipt(jws, { keys, ...rest, ...passkeys, ...(eml === undefined ? {} : { eml }) });
    return null;
  } catch (error) {
    if (error instanceof ReceiptError) return error.reason;
    throw error;
  }
}

/** What a Python program says of all vectors. */
function refusalsByPython(program: string): Record<string, string | null> {
  const ran = spawnSync(PYTHON, ["-c", program], {
    input: JSON.stringify({ keys, vectors }),
    encoding: "utf8",
  });
  if (ran.status !== 0) throw new Error(`${PYTHON} failed: ${ran.error?.message ?? ran.stderr}`);
  return JSON.parse(ran.stdout) as Record<string, string | null>;
}

describe("the vectors", () => {
  test("are those that the service's own code makes", () => {
    expect(JSON.parse(JSON.stringify(makeVectors()))).toEqual({ keys, vectors });
  });

  test.each(vectors)("$name: $says", async (vector) => {
    expect(await refusalByClient(vector)).toBe(vector.refused);
    expect(refusalByNode(vector.jws, keys, vector.expect, vector.eml)).toBe(vector.refused);
    const byJose = await refusalByJose(vector.jws, keys, vector.expect);
    expect(byJose).toBe(BEYOND_JOSE.has(vector.refused ?? "") ? null : vector.refused);
  });

  test("are judged so by the Python program too", () => {
    const program = readFileSync(new URL("verify.py", import.meta.url), "utf8");
    const wanted = Object.fromEntries(vectors.map(({ name, refused }) => [name, refused]));
    expect(refusalsByPython(program)).toEqual(wanted);
  });

  test("are judged so by the twenty lines of Python in the documentation, but for passkeys and mails", () => {
    const page = readFileSync(new URL("../../docs/receipts.md", import.meta.url), "utf8");
    const [, lines = ""] = /^```python\n([\s\S]*?)^```$/m.exec(page) ?? [];
    expect(lines.split("\n").filter((line) => line.trim() !== "").length).toBeLessThanOrEqual(22);
    const run = `
import sys
given, results = json.load(sys.stdin), {}
for vector in given["vectors"]:
    try:
        verify(vector["jws"], given["keys"], **vector["expect"])
        results[vector["name"]] = None
    except ValueError as refused:
        results[vector["name"]] = str(refused)
print(json.dumps(results))`;
    const wanted = vectors.map(({ name, refused }) => [
      name,
      refused === null || BEYOND_JOSE.has(refused) ? null : refused,
    ]);
    expect(refusalsByPython(lines + run)).toEqual(Object.fromEntries(wanted));
  });
});
