import { expect, test } from "vitest";
import { judgeSpace } from "./disk.ts";

const MEGABYTE = 1024 * 1024;

test.each([
  { free: 0, status: "failed", says: "0 MB are free on the disk of /mail." },
  { free: 100 * MEGABYTE - 1, status: "failed", says: "99 MB are free on the disk of /mail." },
  { free: 100 * MEGABYTE, status: "warning", says: "100 MB are free on the disk of /mail." },
  { free: 1024 * MEGABYTE - 1, status: "warning", says: "1,023 MB are free on the disk of /mail." },
  { free: 1024 * MEGABYTE, status: "ok", says: "1,024 MB are free on the disk of /mail." },
])("$free free bytes are judged $status", ({ free, status, says }) => {
  const found = judgeSpace(free, "/mail");
  expect(found).toMatchObject({ status, says });
  expect(found.fix === null).toBe(status === "ok");
});
