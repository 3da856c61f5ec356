import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CliError } from "../frame/exit.ts";
import { configPath } from "../profile/config-file.ts";

const SECRET_BYTES = 32;
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;
/** The error codes of a folder that can't be written to. */
const UNWRITABLE = new Set(["EACCES", "EPERM", "EROFS", "ENOSPC"]);

/** A secret as the server makes them for webhooks. */
const makeSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;

/**
 * Returns the secret that `listen` signs with: LETTERSLOT_WEBHOOK_SECRET, or one that is generated once and stored
 * beside the profiles (0600), so that a receiver needs it only once. If it can't be stored, a new one.
 */
export function listenSecret(env: NodeJS.ProcessEnv): string {
  const given = env["LETTERSLOT_WEBHOOK_SECRET"];
  if (given !== undefined && given !== "") return given;
  const path = join(dirname(configPath(env)), "listen-secret");
  const kept = readKept(path) ?? keep(path, makeSecret());
  if (SECRET.test(kept)) return kept;
  throw new CliError(`${path} holds no secret.`, { fix: "Remove it; then a new one is made." });
}

function readKept(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Keeps a secret unless another process was first, and returns the one that is kept. */
function keep(path: string, secret: string): string {
  const temporary = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(temporary, `${secret}\n`, { mode: 0o600, flag: "wx", flush: true });
    linkSync(temporary, path);
    return secret;
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return readFileSync(path, "utf8").trim();
    if (UNWRITABLE.has(code)) return secret;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}
