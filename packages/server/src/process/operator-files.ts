import { randomBytes } from "node:crypto";
import { mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import type { OperatorMail } from "@letterslot/core/ports";

/** Keeps mail for the operator as files in a folder, named by the time: `20261120040100000-<random>.eml`. */
export function createOperatorFiles(folder: string): OperatorMail {
  return {
    async keep({ raw, recipient, received_at }) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const name = `${received_at.toISOString().replace(/\D/g, "")}-${randomBytes(4).toString("hex")}.eml`;
      const file = await open(join(folder, name), "wx", 0o600);
      try {
        await file.writeFile(`Delivered-To: ${recipient}\r\n`);
        await file.writeFile(raw);
        await file.sync();
      } finally {
        await file.close();
      }
    },
  };
}
